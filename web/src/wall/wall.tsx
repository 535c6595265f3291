import './wall.css'
import { useEffect, useMemo, useRef } from 'react'
import { Calibrate } from './calibrate.tsx'
import { Cells } from './cells.tsx'
import { fitted } from './fitting.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { Hero } from './hero.tsx'
import { heroView } from './hero-view.ts'
import { layoutOf } from './layout.ts'
import { noteRows, noteWordings } from './note.ts'
import { isNight, problemsWith, type WallOptions } from './options.ts'
import { Rail } from './rail.tsx'
import { unitPx } from './size.ts'
import { dataAgeSeconds, freshnessOf, passedSeconds, type WallState } from './state.ts'
import { Tile } from './tile.tsx'
import { isUpsideDown, orbitOf, progressOf } from './turning.ts'
import { useRoom, useSecond } from './use-room.ts'
import { useTurning } from './use-turning.ts'

interface WallProps {
  readonly state: WallState
  readonly options: WallOptions
  readonly capRatio: number
  /** Where a phone finds this server. */
  readonly origin: string
  /** Told what is on the screen. */
  readonly onPainted: (seq: number) => void
}

export function Wall({ state, options, capRatio, origin, onPainted }: WallProps) {
  const room = useRoom()
  const nowMs = useSecond()
  const { frame, seq, link } = state
  const screen = { inch: options.inch, distanceMetres: options.dist, ...room }
  const unit = unitPx(screen, capRatio)
  const inset = (options.safe / 100) * room.height
  const [width, height] = [room.width - 2 * inset, room.height - 2 * inset]
  const sizes = (frame?.clusters ?? []).map(({ name, names }) => `${name} ${names.length}`).join('\n')
  const layout = useMemo(() => {
    const clusters =
      sizes === ''
        ? []
        : sizes.split('\n').map((line) => ({ name: line.split(' ')[0] ?? '', count: Number(line.split(' ')[1]) }))
    return layoutOf({ width, height, unit }, clusters, options.pages)
  }, [width, height, unit, sizes, options.pages])
  const marks = useMemo(() => marksIn(frame), [frame])
  const turn = useTurning(frame, layout, options.rotate * 1_000, nowMs)
  const page = layout.pages[turn.page] ?? layout.pages[0]
  usePainted(state, onPainted)
  if (options.calibrate) return <Calibrate screen={screen} capRatio={capRatio} />

  const hero = heroView(state, nowMs, origin)
  const freshness = freshnessOf(state, nowMs)
  const tall = frame === null || (frame.rows.length === 0 && frame.more.length === 0)
  const railHeight = layout.railLines * layout.row
  const orbit = orbitOf(nowMs, room.height)
  const shown = frame?.link ?? null
  const address = shown === null ? null : `${origin}${shown.code === null ? shown.path : `/s/${shown.code}`}`
  const units = width / unit
  const note = noteWordings(state, nowMs)
  const noteLines = tall ? 0 : noteRows(note, units, layout.railLines)
  const here = new Set(page?.bands.map(({ cluster }) => cluster))
  const bars = {
    header: <Header frame={frame} ageSeconds={dataAgeSeconds(state, nowMs)} height={layout.header} units={units} />,
    footer: (
      <Footer
        turning={{
          page: turn.page,
          pages: layout.pages.length,
          progress: progressOf(turn, options.rotate * 1_000, nowMs),
          pausedSeconds: turn.touchedUntilMs > nowMs ? Math.ceil((turn.touchedUntilMs - nowMs) / 1_000) : null,
          elsewhere: troubleElsewhere(frame, here),
        }}
        marks={marks}
        note={tall || noteLines > 0 ? null : note}
        problems={
          frame === null
            ? options.problems
            : problemsWith(
                options,
                frame.clusters.map(({ name }) => name),
              )
        }
        address={shown?.code ? address : null}
        build={frame?.build ?? null}
        awake={state.awake}
        height={layout.footer}
        units={units}
      />
    ),
  }
  const upsideDown = isUpsideDown(nowMs)
  return (
    <main
      className="wall"
      data-freshness={freshness}
      data-link={link.state}
      data-seq={seq}
      data-scene={frame?.snapshot.id}
      data-subject={frame?.hero.id}
      style={
        {
          '--u': `${unit}px`,
          inset,
          transform: `translate(${orbit.x}px, ${orbit.y}px)`,
        } as React.CSSProperties
      }
    >
      <Tile name="header" seq={seq} height={layout.header}>
        {upsideDown ? bars.footer : bars.header}
      </Tile>
      <Tile name="what is wrong" seq={seq} height={layout.hero + (tall ? railHeight : 0)}>
        <Hero
          view={hero}
          note={tall ? note : null}
          tall={tall}
          short={layout.short}
          height={layout.hero + (tall ? railHeight : 0)}
          width={width}
          unit={unit}
          link={
            address === null || freshness === 'blind' || freshness === 'dead'
              ? null
              : { address, code: shown?.code ?? null }
          }
        />
      </Tile>
      {frame !== null && !tall && (
        <Tile name="worst" seq={seq} height={railHeight}>
          <Rail
            frame={frame}
            note={noteLines === 0 || note === null ? null : { text: fitted(note, units, noteLines), rows: noteLines }}
            lines={layout.railLines}
            rowHeight={layout.row}
            unit={unit}
            width={width}
          />
        </Tile>
      )}
      {frame !== null && page !== undefined && (
        <Tile name="all deployments" seq={seq} height={layout.grid.height}>
          <Cells
            frame={frame}
            page={page}
            width={width}
            height={layout.grid.height}
            unit={unit}
            passedSeconds={passedSeconds(state, nowMs)}
          />
        </Tile>
      )}
      <span className="wall-fill" />
      <Tile name="footer" seq={seq} height={layout.footer}>
        {upsideDown ? bars.header : bars.footer}
      </Tile>
      {isNight(options.night, new Date().getHours()) && <div className="night" />}
    </main>
  )
}

/** One sign explains both that are explained by a suspect. */
function marksIn(frame: WallState['frame']): ReadonlySet<string> {
  const marks = (frame?.clusters ?? []).flatMap((cluster) =>
    cluster.state === 'down' ? ['stale'] : (cluster.marks as readonly string[]),
  )
  return new Set(marks.map((mark) => (mark === 'warnVia' ? 'critVia' : mark)))
}

function troubleElsewhere(frame: WallState['frame'], here: ReadonlySet<string>): number {
  const others = (frame?.clusters ?? []).filter(({ name }) => !here.has(name))
  return others.flatMap(({ marks }) => marks).filter((mark) => mark !== 'ok' && mark !== 'none' && mark !== 'stale')
    .length
}

/** After the second frame from now what was rendered is on the screen. */
function usePainted({ seq, link, awake }: WallState, tell: (seq: number) => void): void {
  const telling = useRef(tell)
  useEffect(() => {
    // A change of the link is a picture too: before the first data it is the only one.
    void link
    void awake
    let second = 0
    const first = requestAnimationFrame(() => {
      second = requestAnimationFrame(() => telling.current(seq))
    })
    return () => {
      cancelAnimationFrame(first)
      cancelAnimationFrame(second)
    }
  }, [seq, link, awake])
}
