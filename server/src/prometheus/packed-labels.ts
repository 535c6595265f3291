type Labels = Readonly<Record<string, string>>

/** Label sets as tables of numbers: texts that occur often cross to another thread once. */
export interface PackedLabels {
  readonly texts: readonly string[]
  /** Label names, as numbers of `texts`; most sets have the same. */
  readonly shapes: readonly (readonly number[])[]
  /** One a set. */
  readonly shapeOf: Uint32Array<ArrayBuffer>
  /** Label values one after the other, in the order of the sets and of their shapes. */
  readonly values: Uint32Array<ArrayBuffer>
}

export function packLabels(all: readonly Labels[]): PackedLabels {
  const numbers = new Map<string, number>()
  const numberOf = (text: string) => {
    const known = numbers.get(text)
    if (known !== undefined) return known
    numbers.set(text, numbers.size)
    return numbers.size - 1
  }
  const shapes: number[][] = []
  const shapeNumbers = new Map<string, number>()
  const shapeOf = new Uint32Array(all.length)
  const values: number[] = []
  for (const [index, labels] of all.entries()) {
    const names = Object.keys(labels)
    const key = JSON.stringify(names)
    let shape = shapeNumbers.get(key)
    if (shape === undefined) {
      shape = shapes.length
      shapeNumbers.set(key, shape)
      shapes.push(names.map(numberOf))
    }
    shapeOf[index] = shape
    for (const name of names) values.push(numberOf(labels[name] ?? ''))
  }
  return { texts: [...numbers.keys()], shapes, shapeOf, values: Uint32Array.from(values) }
}

export function unpackLabels({ texts, shapes, shapeOf, values }: PackedLabels): Labels[] {
  const names = shapes.map((shape) => shape.map((number) => texts[number] ?? ''))
  let at = 0
  return Array.from(shapeOf, (shape) => {
    const labels: Record<string, string> = {}
    for (const name of names[shape] ?? []) {
      // A label may be called anything, `__proto__` included.
      if (name === '__proto__')
        Object.defineProperty(labels, name, { value: texts[values[at] ?? 0] ?? '', enumerable: true })
      else labels[name] = texts[values[at] ?? 0] ?? ''
      at += 1
    }
    return labels
  })
}
