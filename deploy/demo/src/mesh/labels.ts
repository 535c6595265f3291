/** Label pairs in emission order: scrapers do not care about the order, readers of the raw page do. */
export type Labels = readonly (readonly [name: string, value: string])[]

export function renderLabels(labels: Labels): string {
  return labels.map(([name, value]) => `${name}="${escapeLabelValue(value)}"`).join(',')
}

function escapeLabelValue(value: string): string {
  return value.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`))
}
