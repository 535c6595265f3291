import './ui/tokens.css'
import './ui/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './app/query-client.ts'
import { reloadWhenReplaced } from './app/reload-when-replaced.ts'
import { createAppRouter } from './app/router.tsx'

const mount = document.getElementById('root')
if (!mount) throw new Error('index.html has no element with the id "root"')

reloadWhenReplaced()
createRoot(mount).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={createAppRouter()} />
    </QueryClientProvider>
  </StrictMode>,
)
