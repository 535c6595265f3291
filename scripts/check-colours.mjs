/**
 * Recomputes what the colour tokens promise: `node scripts/check-colours.mjs [TOKENS.CSS]`. Contrast by WCAG 2.2, and
 * how far apart statuses are (CIEDE2000) for normal, protan, deutan and tritan eyes (Machado 2009, full severity).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contrast, distance, EYES, over } from './colour-maths.mjs'
import { ROOT } from './paths.mjs'

const path = process.argv[2] ?? join(ROOT, 'web/src/ui/tokens.css')
const LANES = ['lane-1', 'lane-2', 'lane-3', 'lane-4', 'lane-5', 'lane-6']
const GROUNDS = ['bg', 'surface', 'raised', ...LANES]
const TEXT = ['text', 'muted', 'ok', 'warn', 'crit', 'none', 'seam']
const STATUSES = ['ok', 'warn', 'crit', 'none', 'seam']
const RAMP = ['p50', 'p95', 'p99', 'p999']

/** Readable text; lines, glyphs and borders; patches that a glance tells apart; neighbours of a labelled ramp. */
const LEAST = { text: 4.5, line: 3, status: 11, step: 10 }

const css = readFileSync(path, 'utf8')
const blocks = {
  light: tokensOf(/:root\s*\{([^}]*)\}/),
  dark: tokensOf(/:root\[data-theme="dark"\]\s*\{([^}]*)\}/),
  'dark by the system': tokensOf(/:root:not\([^{]*\{([^}]*)\}/),
}
const findings = []
for (const theme of ['light', 'dark']) check(theme, { ...blocks.light, ...blocks[theme] })
for (const [name, value] of Object.entries(blocks.dark)) {
  if (blocks['dark by the system'][name] !== value)
    findings.push(`dark: --${name} differs between the chosen theme and the system's`)
}
for (const finding of findings) process.stdout.write(`${finding}\n`)
process.stdout.write(
  findings.length === 0 ? 'contrast and distances of the colours: fine\n' : `${findings.length} findings\n`,
)
process.exitCode = findings.length === 0 ? 0 : 1

function tokensOf(pattern) {
  const [, body = ''] = pattern.exec(css) ?? []
  return Object.fromEntries(
    [...body.matchAll(/--([\w-]+):\s*(#[0-9a-fA-F]{3,8})\s*;/g)].map(([, name, hex]) => [name, hex]),
  )
}

function check(theme, tokens) {
  const has = (name) => name in tokens
  for (const name of [...GROUNDS, ...TEXT, 'focus', 'control', 'seam-casing', ...RAMP]) {
    if (!has(name)) findings.push(`${theme}: there is no --${name}`)
  }
  const least = (name, ground, wanted) => {
    if (!has(name) || !has(ground)) return
    const found = contrast(tokens[name], tokens[ground])
    if (found < wanted) findings.push(`${theme}: --${name} on --${ground} has ${found.toFixed(2)}:1, needs ${wanted}:1`)
  }
  for (const ground of GROUNDS) {
    for (const name of TEXT) least(name, ground, LEAST.text)
    for (const name of ['control', 'focus', 'a', 'b']) least(name, ground, LEAST.line)
  }
  for (const name of ['seam-casing', ...RAMP]) least(name, 'bg', LEAST.line)
  // Words stay readable on the tints that rows in trouble have.
  for (const tint of ['crit-tint', 'warn-tint']) {
    if (!has(tint)) continue
    const ground = over(tokens[tint], tokens.surface)
    const found = contrast(tokens.text, ground)
    if (found < LEAST.text) findings.push(`${theme}: --text on --${tint} has ${found.toFixed(2)}:1`)
  }
  for (const lane of Object.keys(tokens).filter((name) => /^lane-?\d+$/.test(name))) {
    for (const name of ['text', 'ok', 'warn', 'crit']) least(name, lane, LEAST.text)
  }
  for (const eye of EYES) {
    for (const [one, other] of pairs(STATUSES.filter(has))) far(theme, tokens, eye, one, other, LEAST.status)
    for (let step = 1; step < RAMP.length; step += 1) far(theme, tokens, eye, RAMP[step - 1], RAMP[step], LEAST.step)
    if (has('a') && has('b')) far(theme, tokens, eye, 'a', 'b', LEAST.status)
  }
}

function far(theme, tokens, eye, one, other, wanted) {
  if (!tokens[one] || !tokens[other]) return
  const found = distance(tokens[one], tokens[other], eye)
  if (found < wanted)
    findings.push(`${theme}: --${one} and --${other} are ${found.toFixed(1)} apart for ${eye} eyes, need ${wanted}`)
}

function pairs(names) {
  return names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other]))
}
