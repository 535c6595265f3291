// biome-ignore lint/style/noDefaultExport: Playwright takes the default export of this file.
export { buildGallery as default } from './gallery-web.ts'
