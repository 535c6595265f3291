import type { LabelsApart } from '../domain/apart.ts'
import { type LabelSetLimits, LabelSets } from './label-sets.ts'

/** What the numbers of series stand for. */
export interface LabelTables {
  readonly sets: readonly LabelsApart['labels'][]
  readonly aparts: readonly LabelsApart['apart'][]
}

/** The labels of one endpoint's answers: of flows, and of what is told apart of each, which are few and the same for all. */
export class KnownLabels {
  readonly sets: LabelSets
  readonly aparts: LabelSets

  constructor(limits?: LabelSetLimits) {
    this.sets = new LabelSets(limits)
    this.aparts = new LabelSets(limits, ',')
  }

  /** What the numbers of an answer stand for, for as long as anybody goes through it. */
  get tables(): LabelTables {
    return { sets: this.sets.all, aparts: this.aparts.all }
  }

  /** The answer has been read: numbers are good until then, the sets for good. True: some of them are forgotten. */
  answerRead(): boolean {
    const [sets, aparts] = [this.sets.answerRead(), this.aparts.answerRead()]
    return sets || aparts
  }
}
