import { SeamLedger } from '../../answers/seam-ledger.tsx'
import { ToolLinks } from '../../answers/tool-links.tsx'
import { nameInSentence, parseEdgeId, shortName } from '../../format/workload-name.ts'
import { useWindow } from '../../scope/use-window.ts'
import { WorkloadLink } from '../../scope/workload-link.tsx'
import { Metric } from '../../ui/metric.tsx'
import { OwnBar } from '../../ui/own-bar.tsx'
import { BoxDrawer, CallsDrawer } from './box-drawer.tsx'
import { CloseButton, Ends } from './drawer-parts.tsx'
import type { DrawnEdge, DrawnNode } from './drawn.ts'
import type { Picture } from './picture.ts'

interface MapDrawerProps {
  readonly picture: Picture
  readonly selected: string
  readonly select: (id: string) => void
}

/** What is selected, in numbers: a workload with its callers and calls, or both ends of a call. */
export function MapDrawer({ picture, selected, select }: MapDrawerProps) {
  const ends = parseEdgeId(selected)
  if (ends) {
    const isMeant = ({ edge }: DrawnEdge) => edge.from === ends.from && edge.to === ends.to
    const together = picture.edges.filter(isMeant).flatMap(({ members }) => members)
    if (together.length > 0) return <CallsDrawer {...{ selected, calls: together, select }} />
    const edges = picture.detail.edges.filter(isMeant)
    if (edges.length === 0) return <Gone selected={selected} select={select} />
    return (
      <aside className="map-drawer panel" aria-label={`Call ${nameInSentence(selected)}`}>
        <CloseButton select={select} />
        {edges.map(({ edge }) => (
          <SeamLedger key={edge.destination ?? ''} edge={edge} />
        ))}
      </aside>
    )
  }
  const drawn = [...picture.nodes, ...picture.detail.nodes].find(({ id }) => id === selected)
  if (drawn && drawn.members.length > 0) return <BoxDrawer {...{ drawn, picture, select }} />
  return drawn ? (
    <NodeDrawer drawn={drawn} picture={picture} select={select} />
  ) : (
    <Gone selected={selected} select={select} />
  )
}

function NodeDrawer({ drawn, picture, select }: Omit<MapDrawerProps, 'selected'> & { readonly drawn: DrawnNode }) {
  const { id, workload, node } = drawn
  const window = useWindow()
  const callers = picture.detail.edges.filter(({ edge }) => edge.to === id)
  const calls = picture.detail.edges.filter(({ edge }) => edge.from === id)
  return (
    <aside className="map-drawer panel" aria-label={nameInSentence(id)}>
      <CloseButton select={select} />
      <h2>{node.kind === 'outside' ? shortName(id) : <WorkloadLink id={id}>{nameInSentence(id)}</WorkloadLink>}</h2>
      {workload ? (
        <dl className="map-facts">
          <Fact name="RPS">
            <Metric
              kind="rate"
              value={workload.now.requestsPerSecond}
              truth={workload.truths.requestsPerSecond}
              ageSeconds={workload.ageSeconds}
            />
          </Fact>
          <Fact name="Success">
            <Metric
              kind="success"
              value={workload.now.successRatio}
              truth={workload.truths.successRatio}
              sampleCount={workload.now.sampleCount}
              ageSeconds={workload.ageSeconds}
            />
          </Fact>
          <Fact name="p99">
            <Metric
              kind="latency"
              value={workload.now.latencySeconds.p99}
              truth={workload.truths.p99}
              bucket={workload.bounds.p99}
              ageSeconds={workload.ageSeconds}
            />
          </Fact>
          <Fact name="In flight">
            <Metric
              estimate={workload.inFlightIs === 'estimate'}
              kind="inFlight"
              value={workload.now.inFlight}
              truth={workload.truths.mean}
              ageSeconds={workload.ageSeconds}
            />
          </Fact>
          {workload.own.share !== null && (
            <Fact name="Own part">
              <Metric kind="share" value={workload.own.share} /> <OwnBar share={workload.own.share} strong />
            </Fact>
          )}
        </dl>
      ) : (
        <p className="muted">Nobody measures it from the inside.</p>
      )}
      {workload && <ToolLinks of={id} {...window} />}
      <Ends title="Called by" edges={callers} end="from" select={select} />
      <Ends title="Calls" edges={calls} end="to" select={select} />
    </aside>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Gone({ selected, select }: Pick<MapDrawerProps, 'selected' | 'select'>) {
  return (
    <aside className="map-drawer panel" aria-label="Not in the picture">
      <CloseButton select={select} />
      <p>
        {nameInSentence(selected)} is not in this picture: nobody calls it in this window, or it is left out while only
        the problem is shown.
      </p>
    </aside>
  )
}
