import { capPx, type Screen } from './size.ts'

const LINES = [
  { arcmin: 30, text: 'HERO 30' },
  { arcmin: 22, text: 'COMFORT 22' },
  { arcmin: 20, text: 'THIS MUST BE EASY 20' },
  { arcmin: 16, text: 'CAPTIONS MUST BE READ 16' },
  { arcmin: 12, text: 'TOO SMALL FOR ANYBODY 12' },
] as const

/** An eye chart with lines of known angles: whether inches and distance in the address are those of the room. */
export function Calibrate({ screen, capRatio }: { readonly screen: Screen; readonly capRatio: number }) {
  return (
    <div className="calibrate">
      {LINES.map(({ arcmin, text }) => (
        <p key={arcmin} data-arcmin={arcmin} style={{ fontSize: capPx(screen, arcmin) / capRatio }}>
          {text}
        </p>
      ))}
      <p className="calibrate-note" style={{ fontSize: capPx(screen, 16) / capRatio }}>
        Stand at your farthest seat: the third line must be easy. {screen.inch} inches, {screen.distanceMetres} m.
      </p>
    </div>
  )
}
