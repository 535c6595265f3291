/** Cuts a text/event-stream into its `data` texts; give it chunks as they come. */
export function createEventReader(): (chunk: string) => string[] {
  let rest = ''
  return (chunk) => {
    rest += chunk
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    return blocks.flatMap((block) => {
      const data = block.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []))
      return data.length === 0 ? [] : [data.join('\n')]
    })
  }
}
