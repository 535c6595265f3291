/** The instants that a range query asks for: from the first (unix seconds), one every `stepSeconds`, to the last. */
export interface StepRange {
  readonly fromSeconds: number
  readonly toSeconds: number
  readonly stepSeconds: number
}

export function stepsIn({ fromSeconds, toSeconds, stepSeconds }: StepRange): number {
  return Math.floor((toSeconds - fromSeconds) / stepSeconds + 1e-9) + 1
}

/** The step that a time is of: the nearest, since some stores shift what they answer for by a little. */
export function stepAt({ fromSeconds, stepSeconds }: StepRange, atSeconds: number): number {
  return Math.round((atSeconds - fromSeconds) / stepSeconds)
}
