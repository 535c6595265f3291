import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { bootstrap } from './bootstrap.mjs'

const POSTGRES_PLACE = 'usr/lib/postgresql'
/** 100 MB for compiling queries, which Postgres does without; what stands in for systemd’s; what asks questions; Perl. */
const NOT_NEEDED = /^lib(llvm|clang|z3|elogind|debian-installer|newt|textwrap)|-perl$/

/** The servers that may keep links, for the tests that keep some in them. */
const STORES = [
  {
    name: 'redis',
    title: 'Redis',
    programs: ['redis-server'],
    // Fetched first, which also reads package lists that are missing; `packages` are the others, which it leads to.
    package: 'redis-server',
    packages: async () => ['redis-tools'],
    places: (root) => [join(root, 'usr/bin')],
  },
  {
    name: 'postgres',
    title: 'Postgres',
    programs: ['initdb', 'postgres'],
    package: 'postgresql',
    packages: async () => [await currentPostgres()],
    places: (root) =>
      foldersIn(join(root, POSTGRES_PLACE)).map((version) => join(root, POSTGRES_PLACE, version, 'bin')),
  },
]

/**
 * Redis and Postgres: those of the machine, else what Debian's packages hold, unpacked below `cache` with the libraries
 * that are missing here. Nothing is installed and no root is needed. `say` is told one line for each.
 * @returns the titles of those that could not be had
 */
export async function provideStores(cache, say) {
  const missing = []
  for (const store of STORES) {
    const found = (await installed(store)) ?? (await unpackedBefore(store, cache))
    if (found !== null) say(`${store.title} ${found.version}: ${store.programs.join(' and ')} in ${found.folder}\n`)
    else
      try {
        say(`${store.title}: fetching its Debian package\n`)
        const { version, folder } = await fetched(store, cache, say)
        say(`${store.title} ${version}: ${store.programs.join(' and ')} in ${folder}\n`)
      } catch (error) {
        say(`${store.title}: not here (${lastLine(error)}); tests with it will not run\n`)
        missing.push(store.title)
      }
  }
  return missing
}

async function installed(store) {
  return firstThatRuns(store, [...(process.env.PATH ?? '').split(delimiter), ...store.places('/')], null)
}

async function unpackedBefore(store, cache) {
  for (const version of foldersIn(join(cache, store.name))) {
    const root = join(cache, store.name, version)
    const found = await firstThatRuns(store, store.places(root), root)
    if (found !== null) return found
  }
  return null
}

async function fetched(store, cache, say) {
  if (process.platform !== 'linux') throw new Error('a Debian package is for Linux')
  await bootstrap()
  const { downloadDebianPackages } = await import('../deploy/demo/dist/prometheus/apt-download.js')
  mkdirSync(cache, { recursive: true })
  // Beside its place, not in it: nobody must take half of it for a version.
  const temporary = mkdtempSync(join(cache, `building-${process.pid}-`))
  try {
    const context = { onProgress: (line) => say(`${store.title}: ${line}\n`), signal: undefined }
    await downloadDebianPackages([store.package], temporary, context)
    const packages = await store.packages()
    const all = [...packages, ...(await missingLibraries(packages))]
    await downloadDebianPackages(all, temporary, context)
    const root = join(temporary, 'unpacked')
    for (const name of readdirSync(temporary).filter((file) => file.endsWith('.deb')))
      await run('dpkg', ['-x', join(temporary, name), root])
    rmSync(join(root, 'usr/share/doc'), { recursive: true, force: true })
    const works = await firstThatRuns(store, store.places(root), root)
    if (works === null) throw new Error('what the packages hold does not run on this machine')
    const place = join(cache, store.name, works.version)
    mkdirSync(join(place, '..'), { recursive: true })
    rmSync(place, { recursive: true, force: true })
    renameSync(root, place)
    writeFileSync(join(place, 'source'), `Debian packages: ${[store.package, ...all].join(', ')}\n`)
    return { version: works.version, folder: join(place, works.folder.slice(root.length)) }
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** The package of the distribution's own version, such as postgresql-15. */
async function currentPostgres() {
  const name = /postgresql-\d+/.exec(await run('apt-cache', ['depends', 'postgresql']))?.[0]
  if (name === undefined) throw new Error('apt-cache knows no postgresql')
  return name
}

/** The libraries that these packages stand on, directly or not, and that this machine has not. */
async function missingLibraries(packages) {
  const others = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map((kind) => `--no-${kind}`)
  const needed = await run('apt-cache', ['depends', '--recurse', ...others, ...packages])
  const selections = await run('dpkg', ['--get-selections'])
  const present = new Set([...selections.matchAll(/^([^:\s]+)\S*\s+(?:install|hold)$/gm)].map(([, name]) => name))
  const names = needed.split('\n').filter((line) => /^lib[a-z0-9.+-]*$/.test(line) && !NOT_NEEDED.test(line))
  return [...new Set(names)].filter((name) => !present.has(name))
}

async function firstThatRuns({ programs }, folders, root) {
  for (const folder of folders) {
    if (!programs.every((program) => existsSync(join(folder, program)))) continue
    const said = await run(join(folder, programs.at(-1)), ['--version'], root).catch(() => '')
    const version = /(?:v=|PostgreSQL\) )(\d[\w.]*)/.exec(said)?.[1]
    if (version !== undefined) return { version, folder }
  }
  return null
}

function run(program, args, root = null) {
  const libraries = root === null ? [] : librariesBelow(root)
  const env = libraries.length > 0 ? { ...process.env, LD_LIBRARY_PATH: libraries.join(':') } : process.env
  return new Promise((resolve, reject) => {
    execFile(program, args, { env, timeout: 60_000, maxBuffer: 64 * 2 ** 20 }, (error, stdout, stderr) =>
      error ? reject(new Error(stderr.trim() || error.message)) : resolve(stdout),
    )
  })
}

function librariesBelow(root) {
  return ['lib', 'usr/lib'].flatMap((name) =>
    foldersIn(join(root, name))
      .filter((inner) => inner.includes('-linux-'))
      .map((inner) => join(root, name, inner)),
  )
}

function foldersIn(place) {
  const names = existsSync(place) ? readdirSync(place) : []
  return names.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
}

function lastLine(error) {
  return error.message.trim().split('\n').at(-1)
}
