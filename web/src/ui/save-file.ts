/** Hands a file to the browser's downloads. */
export function saveFile(name: string, type: string, content: string | Blob): void {
  const url = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type }) : content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** RFC 4180. Values that a spreadsheet would run as a formula are quoted as text. */
export function csvOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

function cell(text: string): string {
  const number = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)
  const tamed = /^[=+\-@\t\r\n]/.test(text) && !number ? `'${text}` : text
  return /[",\r\n]/.test(tamed) ? `"${tamed.replaceAll('"', '""')}"` : tamed
}
