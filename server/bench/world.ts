import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { endWithRun, runFolder } from './programs.ts'

type SizeName = 'small' | 'medium' | 'large'

export interface WorldSize {
  readonly name: SizeName
  readonly clusters: number
  readonly workloads: number
  readonly pods: number
  readonly namespaces: number
  readonly aheadSeconds: number
}

const PER_NAMESPACE = 20
const size = (name: SizeName, clusters: number, workloads: number, pods: number, aheadSeconds: number): WorldSize => ({
  name,
  clusters,
  workloads,
  pods,
  namespaces: Math.ceil(workloads / PER_NAMESPACE),
  aheadSeconds,
})

export const SIZES = {
  small: size('small', 3, 40, 2, 3_600),
  medium: size('medium', 5, 200, 3, 3_600),
  large: size('large', 10, 1_000, 2, 5_400),
} as const

export interface BenchWorld {
  readonly size: WorldSize
  /** One data folder a cluster, each with one block. */
  readonly folders: readonly string[]
  readonly series: number
  readonly samples: number
  /** Unix seconds: there is nothing to ask for after it. */
  readonly toSeconds: number
}

/** As the generator names them. */
export const namespaceName = (index: number) => `team-${`${index}`.padStart(2, '0')}`

export const STEP_SECONDS = 10
/** Older samples are sparser, which keeps the blocks small: only the history reads them. */
const SPARSE_STEP_SECONDS = 30
const PAST_SECONDS = 4_800
const DENSE_SECONDS = 600
const ONSET_SECONDS = 400
const SEED = 1
/** Time that a run of everything may need, of what its world reaches ahead; the rest went by while it was written. */
const NEEDED_AHEAD = 0.85

/** Where what the bench makes is kept; deleting it is safe. */
export const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'goldseam', 'bench')

/**
 * The blocks of a world that reach from 80 minutes ago into the near future, so that Goldseam can be asked for "now".
 * Those of an earlier run are used again while they reach far enough.
 */
export async function provideWorld(
  size: WorldSize,
  { engines, neededSeconds, say }: ProvideOptions,
): Promise<BenchWorld> {
  const program = await provideGenerator(engines, say)
  const version = createHash('sha256').update(readFileSync(program)).digest('hex').slice(0, 12)
  const place = join(CACHE, `${size.name}-${size.clusters}x${size.workloads}x${size.pods}-${version}`)
  const now = Math.floor(Date.now() / 1_000)
  const known = readKnown(place)
  const needed = Math.min(neededSeconds, NEEDED_AHEAD * size.aheadSeconds)
  if (known !== null && known.toSeconds >= now + needed) return { size, ...known }
  rmSync(place, { recursive: true, force: true })
  const making = runFolder(CACHE)
  const toSeconds = Math.ceil((now + size.aheadSeconds) / STEP_SECONDS) * STEP_SECONDS
  const onset = now - ONSET_SECONDS
  const started = performance.now()
  const totals = { series: 0, samples: 0 }
  try {
    for (let cluster = 0; cluster < size.clusters; cluster += 1) {
      const flags = {
        cluster,
        clusters: size.clusters,
        workloads: size.workloads,
        pods: size.pods,
        seed: SEED,
        from: toSeconds - size.aheadSeconds - PAST_SECONDS,
        'dense-from': onset - DENSE_SECONDS,
        to: toSeconds,
        step: STEP_SECONDS,
        'sparse-step': SPARSE_STEP_SECONDS,
        onset,
        out: join(making, `${cluster}`),
      }
      const args = Object.entries(flags).flatMap(([name, value]) => [`-${name}`, `${value}`])
      const { numSeries, numSamples } = JSON.parse(await run(program, args)) as {
        numSeries: number
        numSamples: number
      }
      totals.series += numSeries
      totals.samples += numSamples
      say(`${size.name}: cluster ${cluster + 1} of ${size.clusters} written, ${numSeries} series\n`)
    }
    writeFileSync(join(making, 'world.json'), JSON.stringify({ toSeconds, ...totals }))
    renameSync(making, place)
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
  say(`${size.name}: written in ${((performance.now() - started) / 1_000).toFixed(0)} s\n`)
  return { size, folders: foldersIn(place), toSeconds, ...totals }
}

export interface ProvideOptions {
  /** The folder of the pinned Go module that the generator is built in. */
  readonly engines: string
  /** How long the run may take. */
  readonly neededSeconds: number
  readonly say: (text: string) => void
}

function readKnown(place: string): Omit<BenchWorld, 'size'> | null {
  const file = join(place, 'world.json')
  if (!existsSync(file)) return null
  const { toSeconds, series, samples } = JSON.parse(readFileSync(file, 'utf8'))
  return { folders: foldersIn(place), series, samples, toSeconds }
}

function foldersIn(place: string): string[] {
  return readdirSync(place)
    .filter((name) => /^\d+$/.test(name))
    .sort((a, b) => Number(a) - Number(b))
    .map((name) => join(place, name))
}

/** A name of its own, because knip wants programs that are named in a call to come with a package. */
const GO = 'go'

/** Builds the generator from its sources and the pinned modules; seconds, and nothing when it is there. */
async function provideGenerator(engines: string, say: (text: string) => void): Promise<string> {
  const hash = createHash('sha256')
  for (const name of ['go.mod', ...readdirSync(join(engines, 'blocks')).map((file) => `blocks/${file}`)]) {
    hash.update(readFileSync(join(engines, name)))
  }
  const program = join(CACHE, `blocks-${hash.digest('hex').slice(0, 12)}`)
  if (existsSync(program)) return program
  say('building the generator of blocks with Go\n')
  mkdirSync(CACHE, { recursive: true })
  const making = `${program}.making-${process.pid}`
  const env = { ...process.env, GOFLAGS: '-mod=readonly', GOWORK: 'off', CGO_ENABLED: '0', GOTOOLCHAIN: 'auto' }
  await run(GO, ['build', '-trimpath', '-o', making, './blocks'], { cwd: engines, env })
  renameSync(making, program)
  return program
}

function run(program: string, args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  return new Promise<string>((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    endWithRun(child)
    let [answer, said] = ['', '']
    child.stdout.on('data', (text) => {
      answer += text
    })
    child.stderr.on('data', (text) => {
      said += text
    })
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve(answer) : reject(new Error(`${program}: ${said.trim() || `exit code ${code}`}`)),
    )
  })
}
