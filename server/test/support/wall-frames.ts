import { WallFrame } from '../../src/contract/index.ts'

/** Frames of a wall as they come; leaving ends the stream. */
export async function* framesOf(response: Response): AsyncGenerator<WallFrame, undefined> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1]
      text = text.slice(end + 2)
      if (data !== undefined) yield WallFrame.parse(JSON.parse(data))
    }
  }
  return undefined
}
