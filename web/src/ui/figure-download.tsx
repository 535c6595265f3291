import type { FigureText } from './figure-svg.ts'
import { saveFile } from './save-file.ts'
import { say } from './toast.tsx'

interface FigureDownloadProps extends FigureText {
  /** Without an ending. */
  readonly file: string
  /** What is drawn; null while it is not there. */
  readonly figure: () => HTMLElement | null
}

/** Any chart, or the map, as a picture. What it takes to make one is loaded when somebody wants it. */
export function FigureDownload({ file, figure, ...text }: FigureDownloadProps) {
  async function save(kind: 'svg' | 'png') {
    const root = figure()
    if (!root) return
    try {
      const { figurePng, figureSvg } = await import('./figure-svg.ts').catch(() => {
        throw new Error('what draws it could not be loaded. Load the page again once Goldseam answers.')
      })
      const svg = figureSvg(root, text)
      saveFile(`${file}.${kind}`, 'image/svg+xml', kind === 'svg' ? svg.text : await figurePng(svg))
    } catch (error) {
      say(`No picture was made: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return (
    <span className="downloads no-print">
      {(['svg', 'png'] as const).map((kind) => (
        <button
          key={kind}
          type="button"
          className="button-link"
          aria-label={`${text.title}: download as ${kind.toUpperCase()}`}
          title={`Download as ${kind.toUpperCase()}`}
          onClick={() => void save(kind)}
        >
          {kind.toUpperCase()}
        </button>
      ))}
    </span>
  )
}
