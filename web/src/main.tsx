import './ui/tokens.css'
import './ui/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { loadTheRestWhenIdle } from './app/load-the-rest.ts'
import { createQueryClient } from './app/query-client.ts'
import { createAppRouter } from './app/router.tsx'

const mount = document.getElementById('root')
if (!mount) throw new Error('index.html has no element with the id "root"')

const client = createQueryClient()
loadTheRestWhenIdle(client)
createRoot(mount).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={createAppRouter()} />
    </QueryClientProvider>
  </StrictMode>,
)
