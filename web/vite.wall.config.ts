import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/**
 * The wall: `--mode shell` is the page that stays open and watches, `--mode app` the picture in its frame. One script
 * each, beside the files of the other pages; the page that names it is written here, because the frame's origin is
 * opaque and would need leave to load a module.
 */
export default defineConfig(({ mode }) => {
  const isShell = mode === 'shell'
  const name = isShell ? 'wall-shell' : 'wall-app'
  return {
    root: import.meta.dirname,
    mode: 'production',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [react(), page(isShell)],
    publicDir: false,
    build: {
      outDir: 'dist',
      emptyOutDir: false,
      modulePreload: false,
      assetsInlineLimit: 0,
      cssCodeSplit: false,
      sourcemap: true,
      rolldownOptions: {
        input: { [name]: isShell ? 'src/wall-shell/main.ts' : 'src/wall/main.tsx' },
        output: {
          format: isShell ? 'es' : 'iife',
          entryFileNames: 'assets/[name]-[hash].js',
          // The font is one file for all pages.
          assetFileNames: ({ names }) =>
            `assets/${names.some((file) => file.endsWith('.woff2')) ? '[name]' : name}-[hash][extname]`,
        },
      },
    },
  }
})

function page(isShell: boolean): Plugin {
  return {
    name: 'wall-page',
    generateBundle: {
      // After the style sheets were emitted.
      order: 'post',
      handler(_options, bundle) {
        const files = Object.keys(bundle)
        const script = files.find((file) => file.endsWith('.js'))
        const links = files
          .filter((file) => file.endsWith('.css'))
          .map((file) => `<link rel="stylesheet" href="/${file}" />`)
        const load = isShell
          ? `<script type="module" src="/${script}"></script>`
          : `<script defer src="/${script}"></script>`
        const title = isShell ? 'Goldseam wall' : 'Goldseam wall: picture'
        const said = isShell ? '<noscript>The wall draws itself in the browser and needs JavaScript.</noscript>' : ''
        const source = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="dark light" />
    <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
    <title>${title}</title>
    ${[...links, load].join('\n    ')}
  </head>
  <body>${said}</body>
</html>
`
        this.emitFile({ type: 'asset', fileName: isShell ? 'wall.html' : 'wall-app.html', source })
      },
    },
  }
}
