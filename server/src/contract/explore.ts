/** When the expressions of Explore are evaluated: unix seconds. The page and what is kept of it ask for the same. */
export interface ExploreStretch {
  readonly from: number
  readonly to: number
  readonly step: number
}

const WANTED_POINTS = 240
const ROUND_SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400]
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** On whole steps, so that two people who ask for the same get the same instants; without a step about 240 points. */
export function exploreStretch(fromSeconds: number, toSeconds: number, step: string): ExploreStretch {
  const start = Math.min(toSeconds - 1, fromSeconds)
  const seconds = stepSeconds(step) ?? fittingStep(toSeconds - start, WANTED_POINTS)
  return { from: Math.floor(start / seconds) * seconds, to: Math.floor(toSeconds / seconds) * seconds, step: seconds }
}

function stepSeconds(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)([smhd])$/.exec(text)
  const seconds = match ? Number(match[1]) * (UNITS[match[2] ?? 's'] ?? 1) : 0
  return seconds > 0 ? seconds : null
}

/** The shortest round step at which the span has at most so many points. */
export function fittingStep(spanSeconds: number, points: number): number {
  return ROUND_SECONDS.find((seconds) => spanSeconds / seconds <= points) ?? Math.ceil(spanSeconds / points)
}

/** What the page takes of histograms that came back. */
export const EXPLORE_QUANTILES = [0.5, 0.95, 0.99] as const

/** An expression's native histograms as one of their quantiles. An expression may end in a comment. */
export function exploreQuantile(q: number, promql: string): string {
  return `histogram_quantile(${q}, ${promql}\n)`
}
