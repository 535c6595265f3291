/** A value that is handed on as the JSON it came as, without being looked into. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** As `JSON.stringify`, with texts among an object's own values as they are. */
export function jsonOf(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value)
  const fields = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}:${one instanceof JsonText ? one.text : JSON.stringify(one)}`,
  )
  return `{${fields.join()}}`
}
