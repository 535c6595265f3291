/**
 * Rules about the text of the sources that no linter has: `node scripts/check-words.mjs [ROOT]`. Each finding names
 * file and line.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './paths.mjs'

const root = process.argv[2] ?? ROOT
const MOST_LINES = 300

/** Of the demo's stories, beside the names of its scenarios. Words with an everyday meaning are left out. */
const STORY_WORDS = ['clinic', 'scheduler', 'permissions', 'appointments', 'reminders', 'invitations']
const DEMO_PORTS = ['9091', '9092', '8701']

const SOURCE = /\.(tsx?|mjs|cjs)$/
const TEST = /(\.test\.tsx?$|(^|\/)test\/)/

const rules = [
  {
    files: (path) => /^(server|web)\//.test(path),
    pattern: new RegExp(`\\b(${[...scenarioNames(), ...STORY_WORDS].join('|')})\\b`, 'i'),
    why: 'a word of the demo: Goldseam must not know the stories it is shown with',
  },
  {
    files: (path) => /^(server|web)\//.test(path),
    pattern: new RegExp(`\\b(${DEMO_PORTS.join('|')})\\b`),
    why: 'a port of the demo: Goldseam must not know what it is shown with',
  },
  {
    files: (path) => path !== 'package-lock.json',
    pattern: new RegExp(['(^|[^\\w.])/wo', 'rk/|\\.lib', 'rary/'].join('')),
    why: 'a path of one machine',
  },
  {
    files: (path) => /^server\/src\/(domain|contract|dialects)\//.test(path) && SOURCE.test(path) && !TEST.test(path),
    pattern: /\bMath\.random\b/,
    why: 'the same input must give the same picture: no randomness here',
  },
]

const findings = sourceFiles().flatMap((path) => {
  const text = readFileSync(join(root, path), 'utf8')
  if (text.includes('\0')) return []
  return [...wordFindings(path, text), ...lengthFindings(path, text)]
})
for (const finding of findings) process.stdout.write(`${finding}\n`)
process.stdout.write(findings.length === 0 ? 'words, paths and file lengths: fine\n' : `${findings.length} findings\n`)
process.exitCode = findings.length === 0 ? 0 : 1

function wordFindings(path, text) {
  const applying = rules.filter(({ files }) => files(path))
  if (applying.length === 0) return []
  return text.split('\n').flatMap((line, index) =>
    applying.flatMap(({ pattern, why }) => {
      const [found] = pattern.exec(line) ?? []
      return found === undefined ? [] : [`${path}:${index + 1}: '${found.trim()}' is ${why}`]
    }),
  )
}

function lengthFindings(path, text) {
  const lines = text.trimEnd().split('\n').length
  if (!SOURCE.test(path) || TEST.test(path) || lines <= MOST_LINES) return []
  return [`${path}:${MOST_LINES + 1}: ${lines} lines; one file has one job and at most ${MOST_LINES} lines`]
}

/** What git has or would take; without git (an unpacked archive) there is nothing to hold clean. */
function sourceFiles() {
  const { status, stdout, stderr } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) {
    process.stderr.write(`no list of files by git, so none is looked at: ${(stderr ?? 'git is not here').trim()}\n`)
    return []
  }
  return stdout
    .split('\n')
    .filter((path) => path !== '' && path !== 'scripts/check-words.mjs' && existsSync(join(root, path)))
}

/** One file a scenario; the catalogue and the type they share have no story of their own. */
function scenarioNames() {
  const folder = join(root, 'deploy/demo/src/scenarios')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .map((name) => name.replace(/(\.test)?\.ts$/, ''))
    .filter((name) => !['catalog', 'scenario', 'index', 'phases'].includes(name))
}
