import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { leanZod } from './lean-zod.ts'

const SERVER = 'http://127.0.0.1:8700'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), leanZod()],
  worker: { plugins: () => [leanZod()] },
  build: {
    outDir: 'dist',
    // The server's policy allows scripts from its own origin only; browsers we support preload modules by themselves.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    sourcemap: true,
    // One file for all that the first look needs: twenty small ones, each compressed on its own, are 4 % larger.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
    // React, router, query, table and zod: what the first screen needs. Compressed it is under its budget of 200 kB.
    chunkSizeWarningLimit: 600,
  },
  server: { proxy: { '/api': SERVER, '/healthz': SERVER, '/readyz': SERVER } },
})
