/** The launcher's output: one line per step. On a terminal the line of a running step is replaced when it is done. */
export interface Steps {
  progress(text: string): void
  done(text: string): void
  say(text: string): void
}

export function createSteps(out: NodeJS.WriteStream): Steps {
  const clear = out.isTTY ? '\r\x1b[2K' : ''
  let open = false
  const line = (text: string) => {
    out.write(`${open ? clear : ''}${text}\n`)
    open = false
  }
  return {
    progress(text) {
      if (!out.isTTY) return line(`… ${text}`)
      out.write(`${clear}… ${text}`)
      open = true
    },
    done: (text) => line(`✓ ${text}`),
    say: line,
  }
}
