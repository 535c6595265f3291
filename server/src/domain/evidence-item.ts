/** A question that was asked: found, looked for and not found, or not to be known. */
export interface Evidence {
  readonly name:
    | 'share'
    | 'callees'
    | 'first'
    | 'queueing'
    | 'oneAtATime'
    | 'scaling'
    | 'traffic'
    | 'path'
    | 'events'
    | 'alerts'
    | 'pods'
    | 'breaker'
  readonly answer: boolean | null
  readonly text: string
}
