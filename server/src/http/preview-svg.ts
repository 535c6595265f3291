import type { PreviewText } from './preview-link.ts'

/** What chats show large without cutting it off. */
export const PREVIEW_SIZE = { width: 1200, height: 630 } as const

const [LEFT, RIGHT] = [80, 1120]
const TITLE = { size: 54, lines: 2, weight: 600, fill: '#EEF1F5' } as const
const BODY = { size: 36, lines: 5, weight: 400, fill: '#C9D0D9' } as const
const LINE_HEIGHT = 1.32

/** A card with the words of a preview, dark, the product's sign above them. Any text becomes text, never markup. */
export function previewSvg({ title, description }: PreviewText): string {
  const head = lines(title, TITLE)
  const body = lines(description, BODY)
  const headTop = 205
  const bodyTop = headTop + head.length * TITLE.size * LINE_HEIGHT + 26
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${PREVIEW_SIZE.width}" height="${PREVIEW_SIZE.height}">
<rect width="100%" height="100%" fill="#0E1116"/>
<path d="M80 108 103 78l17 20 17-27 25 37" fill="none" stroke="#C9A227" stroke-width="10" stroke-linejoin="round" stroke-linecap="round"/>
<text x="186" y="106" font-family="Inter" font-size="34" font-weight="600" fill="#A9B2BD">Goldseam</text>
<path d="M0 612H1200M0 620H1200" stroke="#F0DFA8" stroke-width="3"/>
${head.map((line, index) => textAt(line, headTop + index * TITLE.size * LINE_HEIGHT, TITLE)).join('\n')}
${body.map((line, index) => textAt(line, bodyTop + index * BODY.size * LINE_HEIGHT, BODY)).join('\n')}
</svg>`
}

interface Style {
  readonly size: number
  readonly lines: number
  readonly weight: number
  readonly fill: string
}

function textAt(line: string, y: number, { size, weight, fill }: Style): string {
  return `<text x="${LEFT}" y="${Math.round(y)}" font-family="Inter" font-size="${size}" font-weight="${weight}" fill="${fill}">${escaped(line)}</text>`
}

/** Broken at spaces, where a word is longer than a line within it; what does not fit ends in "...". */
function lines(text: string, { size, lines: most }: Style): string[] {
  const room = (RIGHT - LEFT) / size
  const broken: string[] = ['']
  for (const word of text.split(/\s+/).flatMap((whole) => pieces(whole, room))) {
    const line = broken.at(-1) ?? ''
    if (line === '') broken[broken.length - 1] = word
    else if (widthOf(`${line} ${word}`) <= room) broken[broken.length - 1] = `${line} ${word}`
    else broken.push(word)
  }
  if (broken.length <= most) return broken
  const last = [...(broken[most - 1] ?? '')]
  while (widthOf(`${last.join('')}...`) > room) last.pop()
  return [...broken.slice(0, most - 1), `${last.join('').trimEnd()}...`]
}

function pieces(word: string, room: number): string[] {
  const found: string[] = []
  let rest = ''
  for (const letter of word) {
    if (widthOf(rest + letter) > room) {
      found.push(rest)
      rest = ''
    }
    rest += letter
  }
  return [...found, rest]
}

const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[ijl.,:;'|!()[\]/ rtf-]/, 0.36],
  [/[mwMW@%]/, 0.94],
  [/[A-Z\d]/, 0.7],
]

/** In heights of the type, rather too wide than too narrow. */
function widthOf(text: string): number {
  let width = 0
  for (const letter of text) width += WIDTHS.find(([kind]) => kind.test(letter))?.[1] ?? 0.6
  return width
}

function escaped(text: string): string {
  return text
    .replace(/[^\P{C}]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
