type Labels = Readonly<Record<string, string>>

/**
 * Labels that tell apart what belongs to one and the same flow: buckets, what Goldseam's own questions tag, and failed
 * from succeeded in Linkerd's words. Without them the hundreds of series of a flow have few label sets between them.
 */
export const APART_LABELS = ['le', 'part', 'counted', 'classification'] as const

export type Apart = Readonly<Partial<Record<(typeof APART_LABELS)[number], string>>>

/** Labels as two objects, of which many series share each. */
export interface LabelsApart {
  /** Without those that tell apart what belongs to one flow. */
  readonly labels: Labels
  readonly apart: Apart
}

export const NOTHING_APART: Apart = {}

export function labelsApart(all: Labels): LabelsApart {
  if (!APART_LABELS.some((name) => all[name] !== undefined)) return { labels: all, apart: NOTHING_APART }
  const { le, part, counted, classification, ...labels } = all
  const apart = Object.entries({ le, part, counted, classification }).filter(([, value]) => value !== undefined)
  return { labels, apart: Object.fromEntries(apart) }
}

/** All labels of a series, for whoever does not know what they say. */
export function allLabels({ labels, apart }: LabelsApart): Labels {
  return { ...labels, ...(apart as Labels) }
}
