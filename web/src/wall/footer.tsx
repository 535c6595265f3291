import { Glyph, type Mark } from '../ui/glyph.tsx'
import { fitted } from './fitting.ts'
import type { Wordings } from './hero-view.ts'

const TROUBLE: readonly (readonly [Mark, string])[] = [
  ['crit', 'own'],
  ['critVia', 'explained'],
  ['critOpen', 'cause unknown'],
  ['warn', 'slower'],
]
const CALM: readonly (readonly [Mark, string])[] = [
  ['ok', 'ok'],
  ['stale', 'stale'],
  ['none', 'no traffic'],
]

export interface Turning {
  readonly page: number
  readonly pages: number
  /** 0 to 1: how much of this page's time has passed. */
  readonly progress: number
  /** Seconds until it goes on by itself, after somebody touched something; null: it goes. */
  readonly pausedSeconds: number | null
  /** In trouble on the other pages. */
  readonly elsewhere: number
}

interface FooterProps {
  readonly turning: Turning
  /** What is on the screen and wants to be explained. */
  readonly marks: ReadonlySet<string>
  /** With the address of this wall; they are the business of who hung it up. */
  readonly problems: readonly string[]
  /** Who is on it, where the rail has no row for it. */
  readonly note: Wordings | null
  readonly address: string | null
  readonly build: string | null
  readonly awake: boolean
  readonly height: number
  readonly units: number
}

export function Footer({ turning, marks, problems, note, address, build, awake, height, units }: FooterProps) {
  const { page, pages, progress, pausedSeconds, elsewhere } = turning
  // What there is room for, the most needed first; a legend that is cut off explains nothing.
  const paused = pausedSeconds === null ? '' : `held ${pausedSeconds} s`
  const others = elsewhere === 0 ? [] : [`${elsewhere} on other pages`, String(elsewhere)]
  let room = units - (pages > 1 ? 8 + (paused === '' ? 0 : 5) : 0)
  const takes = (letters: number) => {
    const width = letters * 0.42 + 0.8
    const fits = room >= width
    if (fits) room -= width
    return fits
  }
  const elsewhereText = pages > 1 ? fitted(others, room / 0.8 - 2, 1) : ''
  if (elsewhereText !== '') takes(elsewhereText.length + 3)
  const [mistake = ''] = problems
  const more = problems.length - 1
  const mistakes = more === 0 ? [mistake] : [problems.join('; '), `${mistake}; ${more} more mistakes`]
  const problem = fitted([...mistakes, 'mistakes in the address', 'wrong address'], room / 0.8, 1)
  if (mistake !== '') takes(problem.length)
  const said = note === null ? '' : fitted(note, room / 0.8, 1)
  if (said !== '') takes(said.length)
  const sleepy = !awake && takes(38)
  const buildText = build === null ? '' : `build ${build.split('-').at(-1)?.slice(0, 4)}`
  const showBuild = buildText !== '' && takes(buildText.length)
  const explained = (list: typeof TROUBLE) => list.filter(([mark, word]) => marks.has(mark) && takes(word.length + 2))
  const trouble = explained(TROUBLE)
  const shown = address?.replace(/^https?:\/\//, '') ?? ''
  const showAddress = shown !== '' && takes(shown.length)
  const legend = [...trouble, ...explained(CALM)]
  return (
    <footer className="wall-footer" style={{ height }}>
      {pages > 1 && (
        <span className="wall-page">
          page {page + 1}/{pages}
          <span className="wall-progress">
            <span style={{ width: `${progress * 100}%` }} />
          </span>
          {paused !== '' && <span>{paused}</span>}
          {elsewhereText !== '' && (
            <span className="wall-bad">
              <Glyph mark="crit" /> {elsewhereText}
            </span>
          )}
        </span>
      )}
      {mistake !== '' && <span className="wall-problem">{problem}</span>}
      {said !== '' && <b>{said}</b>}
      {legend.map(([mark, word]) => (
        <span key={mark} className="wall-legend">
          <Glyph mark={mark} /> {word}
        </span>
      ))}
      <span className="wall-space" />
      {sleepy && <span>screen may sleep: set OS power options</span>}
      {showAddress && <span className="wall-address">{shown}</span>}
      {showBuild && <span>{buildText}</span>}
    </footer>
  )
}
