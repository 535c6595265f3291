import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Goldseam as it is deployed: a folder with the built server and pages, one port, and a process that comes and goes. */
export class Deployed {
  readonly folder = mkdtempSync(join(tmpdir(), 'goldseam-deployed-'))
  readonly url: string
  readonly #port: number
  #child: ChildProcess | null = null

  constructor(port: number, config: string) {
    this.#port = port
    this.url = `http://127.0.0.1:${port}`
    cpSync(join(ROOT, 'server/dist'), join(this.folder, 'server/dist'), { recursive: true })
    cpSync(join(ROOT, 'server/package.json'), join(this.folder, 'server/package.json'))
    cpSync(join(ROOT, 'web/dist'), join(this.folder, 'web/dist'), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'))
    this.configure(config)
  }

  configure(config: string): void {
    writeFileSync(
      join(this.folder, 'goldseam.yaml'),
      `listen: 127.0.0.1:${this.#port}\nlastGoodDirectory: last-good\n${config}`,
    )
  }

  async start(): Promise<void> {
    const args = [join(this.folder, 'server/dist/main.js'), '--config', join(this.folder, 'goldseam.yaml')]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    let said = ''
    await new Promise<void>((resolve, reject) => {
      const hear = (chunk: Buffer) => {
        said += chunk.toString()
        if (said.includes('serves http')) resolve()
      }
      child.stdout.on('data', hear)
      child.stderr.on('data', hear)
      child.once('exit', (code) => reject(new Error(`Goldseam ended with ${code}:\n${said}`)))
    })
  }

  /** Without a word, as a machine that loses its power. */
  async kill(): Promise<void> {
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  /** Another build of the same pages: every file of the wall gets another name, and the old ones are gone. */
  deploy(mark: string): void {
    const dist = join(this.folder, 'web/dist')
    const assets = join(dist, 'assets')
    for (const page of ['wall.html', 'wall-app.html']) {
      let html = readFileSync(join(dist, page), 'utf8')
      for (const file of readdirSync(assets).filter((name) => html.includes(name))) {
        const renamed = file.replace(/^(wall-\w+-).*(\.\w+)$/, `$1${mark}$2`)
        renameSync(join(assets, file), join(assets, renamed))
        html = html.replaceAll(file, renamed)
      }
      writeFileSync(join(dist, page), html)
    }
  }

  async remove(): Promise<void> {
    await this.kill()
    rmSync(this.folder, { recursive: true })
  }
}
