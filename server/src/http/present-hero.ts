import type { WallHero } from '../contract/index.ts'
import { spoken } from '../domain/identity.ts'
import { goalsMissed, workloadRow } from '../domain/row.ts'
import { isAffected } from '../domain/situation.ts'
import { offSince } from '../domain/trouble.ts'
import type { Verdict } from '../domain/verdict.ts'
import { doubtsOnly, isEverything, isWithin, namesOnly, verdictWithin } from '../domain/verdict-within.ts'
import type { Snapshot } from '../federation/snapshot.ts'
import { timeOrNull } from './present-golden.ts'
import { clustersIn, type Marked, type WallScene, WEIGHTS } from './wall-scene.ts'

/** The gap where an endpoint does not tell which clusters it holds. */
const UNTOLD = 'list of clusters'
const NOT_FOR_THIS = 'the cause lies outside of what this screen may show'

/** What a wall says of its part of the fleet, naming nothing that it may not show. */
export function heroOf(scene: WallScene): WallHero {
  const { taken, marked, scope, judgement } = scene
  const clusters = clustersIn(scene)
  const missing = clusters.filter(({ state }) => state !== 'ok' && state !== 'partial')
  if (clusters.length === 0) return bare('blind', nowhere(scene))
  if (clusters.every(({ state }) => state === 'down' || state === 'pending')) return bare('blind', missingText(missing))
  const verdict = saidOf(scene)
  const [prime] = judgement.suspects
  // Suspects too weak for the sentence are not named here either.
  if (prime !== undefined && verdict.suspect !== null && isWithin(scope.limit, prime.id)) {
    const known = taken.situation.assessment.workloads.get(prime.id)
    const row = known === undefined ? null : workloadRow(taken.situation, taken.judgement, known)
    return {
      form: 'suspect',
      id: prime.id,
      text: namesOnly(scope.limit, taken.situation, judgement)
        ? verdict.text
        : `${spoken(prime.id)} holds up what this screen may not show`,
      word: prime.word,
      ownShare: prime.share,
      p99Seconds: row?.reading.golden.latencySeconds.p99 ?? null,
      changeRatio: row?.changeRatio ?? null,
      since: timeOrNull(prime.onsetSeconds),
      victims: prime.victims.filter((id) => id !== prime.id && isWithin(scope.limit, id)),
      others: Math.max(0, judgement.problems.length - 1),
    }
  }
  const hidden = prime !== undefined && verdict.suspect !== null
  const [worst] = marked.filter(({ mark }) => WEIGHTS[mark] > 0).sort((a, b) => WEIGHTS[b.mark] - WEIGHTS[a.mark])
  if (worst !== undefined)
    return worstOf(taken, worst, missesOf(scene, worst) ?? (hidden ? NOT_FOR_THIS : why(missing)))
  if (missing.length > 0) return bare('partial', missingText(missing))
  if (scope.clusters === null && taken.gaps.some(({ what }) => what === UNTOLD))
    return bare('partial', isEverything(scope) ? verdict.text : 'not all clusters are known')
  if (marked.length === 0 && scope.namespaces !== null)
    return bare('partial', `no workload is known of ${[...scope.namespaces].join(', ')}`)
  // Nobody may have been named, or only what this screen may not show.
  if (verdict.form === 'unknown' && namesOnly(scope.limit, taken.situation, judgement))
    return bare('partial', verdict.text)
  return bare('quiet', verdict.form === 'quiet' || isEverything(scope) ? verdict.text : 'All quiet.')
}

/** The same sentence as everywhere else where it is about this part, too. */
function saidOf({ taken, scope, judgement }: WallScene): Verdict {
  if (isEverything(scope)) return taken.verdict
  const verdict = verdictWithin(taken.situation, judgement, scope)
  const isSame =
    verdict.suspect !== null &&
    verdict.suspect === taken.verdict.suspect &&
    doubtsOnly(scope.limit, taken.situation) &&
    judgement.problems.length === taken.judgement.problems.length
  return isSame ? taken.verdict : verdict
}

/** Why there is nothing to be seen at all. */
function nowhere({ taken, scope }: WallScene): string {
  if (taken.clusters.length === 0 || scope.clusters === null) return taken.verdict.text
  const limit = [...(scope.limit.clusters ?? [])].join(', ')
  if (scope.clusters.size === 0) return `this screen may show ${limit}, and is asked for others`
  return `${[...scope.clusters].join(', ')}: no such cluster is known`
}

function why(missing: Snapshot['clusters']): string {
  return missing.length === 0 ? 'the cause is not in what the metrics show' : missingText(missing)
}

/** Which goals one misses that is not off its usual otherwise. */
function missesOf({ taken: { situation } }: WallScene, { workload }: Marked): string | null {
  if (isAffected(workload)) return null
  const missed = goalsMissed(situation, workload)
  return missed.length === 0 ? null : `it misses its goal${missed.length === 1 ? '' : 's'}: ${missed.join(', ')}`
}

function worstOf(taken: Snapshot, { workload }: Marked, text: string): WallHero {
  const row = workloadRow(taken.situation, taken.judgement, workload)
  return {
    ...bare('trouble', text),
    id: workload.id,
    p99Seconds: row.reading.golden.latencySeconds.p99,
    changeRatio: row.changeRatio,
    since: timeOrNull(offSince(workload.trouble)),
  }
}

function bare(form: WallHero['form'], text: string): WallHero {
  const nothing = { word: null, ownShare: null, p99Seconds: null, changeRatio: null, since: null }
  return { form, id: null, text, ...nothing, victims: [], others: 0 }
}

function missingText(missing: Snapshot['clusters']): string {
  const words = { stale: 'has not answered', down: 'does not answer', pending: 'has not answered yet' }
  return missing
    .map(({ name, state, ageSeconds, reason }) => {
      const never = words[state as keyof typeof words] ?? 'answers in part'
      const said = ageSeconds === null ? never : `has not answered for ${lasting(ageSeconds)}`
      return `${name} ${said}${reason === null ? '' : ` (${reason})`}`
    })
    .join('; ')
}

function lasting(seconds: number): string {
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`
}
