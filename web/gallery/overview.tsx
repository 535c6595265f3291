import './overview.css'
import type { GalleryState } from './states.ts'

interface OverviewProps {
  readonly states: readonly GalleryState[]
  /** A state that was asked for and is none. */
  readonly unknown: string | null
}

/** Every state of every screen by name, each drawn small in a frame of its own. */
export function Overview({ states, unknown }: OverviewProps) {
  const screens = [...new Set(states.map(({ screen }) => screen))]
  return (
    <main className="gallery">
      <h1>Gallery of states</h1>
      <p className="muted">
        The app's own screens over fixed answers; the clock stands. Add <code>&amp;theme=dark</code> to an address.
      </p>
      {unknown !== null && <p role="alert">There is no state {unknown}.</p>}
      {screens.map((screen) => (
        <section key={screen}>
          <h2>{screen}</h2>
          <ul className="gallery-list">
            {states
              .filter((state) => state.screen === screen)
              .map(({ name, what }) => (
                <li key={name}>
                  <a href={`?state=${name}`}>{name}</a>
                  <p className="muted">{what}</p>
                  <div className="gallery-frame">
                    <iframe src={`?state=${name}`} title={name} loading="lazy" tabIndex={-1} />
                  </div>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </main>
  )
}
