import type { ClusterEndpoint, ClusterStatus, Gap } from '@goldseam/server/contract'
import { ClusterGap } from '../../answers/gaps-note.tsx'
import { age } from '../../format/age.ts'
import { clock } from '../../format/clock.ts'
import { latency } from '../../format/latency.ts'
import { printed } from '../../format/quantity.ts'
import { useScope } from '../../scope/use-scope.ts'
import { Glyph } from '../../ui/glyph.tsx'
import { certificateWords } from './certificate-words.ts'
import { kubeWord } from './clusters-data.ts'
import { skewNote, skewWords } from './skew-words.ts'

interface StatusNotesProps {
  readonly cluster: ClusterStatus
  readonly gaps: readonly Gap[]
  /** When the snapshot was taken. */
  readonly atMs: number
}

/** What is wrong with a cluster and what that does to the picture, then how it is reached. */
export function StatusNotes({ cluster, gaps, atMs }: StatusNotesProps) {
  const { state, endpoints, clockSkewSeconds, scrapeIntervalSeconds, discoveredAt, alsoAt } = cluster
  const { percentilesAgeSeconds, callsAgeSeconds = 0 } = cluster
  const skew = clockSkewSeconds === null ? null : skewNote(clockSkewSeconds)
  const missing = state === 'ok' ? gaps : []
  return (
    <ul className="clusters-notes">
      {state !== 'ok' && (
        <li className="clusters-trouble">
          <ClusterGap cluster={cluster} gaps={gaps} />
        </li>
      )}
      {missing.map(({ what, why, detail }) => (
        <li key={`${what} ${detail}`} className="clusters-trouble">
          <Glyph mark="partial" />
          <span>
            no {what}: {detail || why}
          </span>
        </li>
      ))}
      {kubeWord(cluster) === 'none' && (
        <li>No kube-state-metrics there: restarts, rollouts and changes of replicas are not told.</li>
      )}
      {skew !== null && <li>{`Its clock is ${skewWords(cluster)}: ${skew}`}</li>}
      {endpoints.map((endpoint) => (
        <li key={endpoint.url}>
          <Reached endpoint={endpoint} />
        </li>
      ))}
      {endpoints.map(({ url, certificateEndsAt }) => (
        <CertificateNote key={url} url={url} endsAt={certificateEndsAt} atMs={atMs} />
      ))}
      {scrapeIntervalSeconds !== null && <li>scraped every {printed(latency(scrapeIntervalSeconds))}</li>}
      {percentilesAgeSeconds !== null && <li>age of percentiles: {age(percentilesAgeSeconds)}</li>}
      {callsAgeSeconds > 0 && (
        <li>age of calls: {age(callsAgeSeconds)}; asked for anew as soon as what workloads receive changes</li>
      )}
      {discoveredAt !== null && <li>found through {discoveredAt}</li>}
      {alsoAt.map((url) => (
        <li key={url}>{url} holds a cluster of this name too, which is not read</li>
      ))}
    </ul>
  )
}

function Reached({ endpoint: { url, state, reason, version, breaker } }: { readonly endpoint: ClusterEndpoint }) {
  const { tz } = useScope()
  const next = breaker.nextTryAt === null ? '' : `, next try ${clock(breaker.nextTryAt, tz)}`
  return (
    <>
      <code>{url}</code> {STATES[state]}
      {version !== null && `, ${version}`}
      {reason !== null && `: ${reason}`}
      {breaker.state !== 'closed' && `; left alone${next}`}
    </>
  )
}

interface CertificateNoteProps {
  readonly url: string
  readonly endsAt: ClusterEndpoint['certificateEndsAt']
  readonly atMs: number
}

/** Only where it has run out, or will before long: that ends every answer over it. */
function CertificateNote({ url, endsAt, atMs }: CertificateNoteProps) {
  const words = certificateWords(endsAt, atMs)
  if (words === null || words.advice === null) return null
  return (
    <li className="clusters-trouble">
      <Glyph mark="warn" />
      <span>
        The certificate of <code>{url}</code> {words.text.startsWith('expired') ? '' : 'is '}
        {words.text}: {words.advice}
      </span>
    </li>
  )
}

const STATES = { ok: 'answers', failing: 'fails', untried: 'not asked yet' } as const
