import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The built page over fixed answers: what it shows does not depend on a story or on the clock. */
export async function startFixtureWeb(scene: string): Promise<{ url: string; stop(): Promise<void> }> {
  const script = join(import.meta.dirname, '../../web/test/serve.mjs')
  const child = spawn(process.execPath, [script, '0', scene], { stdio: ['ignore', 'pipe', 'inherit'] })
  let url: string | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    url = /^(http:\/\/[^/]+)\//.exec(line)?.[1]
    if (url !== undefined) break
  }
  if (url === undefined) throw new Error('the fixture server ended before it served')
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
