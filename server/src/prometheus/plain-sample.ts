import type { Sample } from './api.ts'

/**
 * A sample as tens of thousands come at once: one object each, which serves as a column as well. The list of its value
 * is made when it is read, and is gone before the collector looks for it.
 */
export class PlainSample implements Sample {
  readonly labels: Sample['labels']
  readonly apart: Sample['apart']
  readonly value: number

  constructor(labels: Sample['labels'], apart: Sample['apart'], value: number) {
    this.labels = labels
    this.apart = apart
    this.value = value
  }

  get values(): readonly number[] {
    return [this.value]
  }
}
