import { countValues, type Matcher, selector, within } from '../dialects/promql.ts'
import type { Sample } from '../prometheus/api.ts'
import type { EndpointTest, TestEndpoints } from '../prometheus/test-endpoints.ts'

/** What asking one endpoint on purpose told, in words for who runs Goldseam. */
export interface TestedEndpoint {
  readonly url: string
  readonly answered: boolean
  readonly seconds: number
  readonly text: string
}

const UP = 'up'
const NOTICEABLE_SKEW_SECONDS = 1.5

/** One bounded question to each endpoint of a cluster: how many targets it scrapes, and how many of them are down. */
export async function testCluster(
  test: TestEndpoints,
  matcher: Matcher | null,
  signal: AbortSignal,
): Promise<readonly TestedEndpoint[]> {
  const question = countValues(UP, selector(UP, []))
  const tested = await test(matcher === null ? question : within(question, [matcher]), signal)
  return tested.map((one) => ({
    url: one.status.url,
    answered: !('error' in one.outcome),
    seconds: one.seconds,
    text: textOf(one),
  }))
}

function textOf({ outcome, wasLeftAlone, seconds, status: { version, clockSkew } }: EndpointTest): string {
  if ('error' in outcome) return sentence(outcome.error.message)
  return [
    `Answered in ${seconds < 1 ? `${Math.round(seconds * 1_000)} ms` : `${seconds.toFixed(1)} s`}.`,
    ...(version === null ? [] : [`It says that it is version ${version}.`]),
    targetsIn([...outcome.data]),
    ...clockOf(clockSkew?.seconds ?? null),
    ...outcome.warnings.map((warning) => `It warns: ${sentence(warning)}`),
    ...(wasLeftAlone ? ['It was left alone because it had failed; it is asked again from now on.'] : []),
  ].join(' ')
}

function targetsIn(samples: readonly Sample[]): string {
  const countOf = (value: string) =>
    samples.filter(({ labels }) => labels[UP] === value).reduce((sum, sample) => sum + sample.value, 0)
  const [up, down] = [countOf('1'), countOf('0')]
  if (up + down === 0) return 'It knows of no scrape targets: there are no series of up.'
  return `It has ${up + down} scrape targets, ${down === 0 ? 'all of them up' : `${down} of them down`}.`
}

/** Date headers tell whole seconds: less than that is nothing to speak of. */
function clockOf(skewSeconds: number | null): string[] {
  if (skewSeconds === null || Math.abs(skewSeconds) < NOTICEABLE_SKEW_SECONDS) return []
  return [`Its clock is ${Math.abs(skewSeconds).toFixed(1)} s ${skewSeconds > 0 ? 'ahead of' : 'behind'} ours.`]
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}
