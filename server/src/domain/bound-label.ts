type Labels = Readonly<Record<string, string>>

/** The labels of a series with the bound of its bucket, where it has one, apart: what is left is the same for all of its buckets. */
export function boundApart(all: Labels): { readonly labels: Labels; readonly le?: string } {
  if (all.le === undefined) return { labels: all }
  const { le, ...labels } = all
  return { labels, le }
}
