import { expect, test } from 'vitest'
import { parseOptions } from './options.ts'

test('has defaults for everything', () => {
  expect(parseOptions([])).toEqual({
    ok: true,
    options: {
      scenario: 'campus',
      culprit: undefined,
      port: 8700,
      controlPort: 8701,
      prometheusPorts: [9091, 9092],
      open: true,
      manual: false,
      server: true,
      help: false,
    },
  })
})

test('takes what it is given', () => {
  const argv = '--culprit pdf --port 1 --control-port 2 --prometheus-ports 3,4 --no-open --manual --no-server'.split(
    ' ',
  )
  const parsed = parseOptions(argv)
  expect(parsed.ok && parsed.options).toMatchObject({
    culprit: 'pdf',
    port: 1,
    controlPort: 2,
    prometheusPorts: [3, 4],
    open: false,
    manual: true,
    server: false,
  })
})

test.each([
  { argv: ['--bogus'], says: '--bogus' },
  { argv: ['stray'], says: 'stray' },
  { argv: ['--scenario', 'moon'], says: "Unknown scenario 'moon'. Known: campus." },
  { argv: ['--culprit', 'nobody'], says: 'Known: directory, permissions, pdf, ingress.' },
  { argv: ['--port', '70000'], says: "--port '70000' is not a port." },
  { argv: ['--control-port', 'x'], says: "--control-port 'x' is not a port." },
  { argv: ['--prometheus-ports', '9091'], says: 'is not two ports' },
  { argv: ['--port', '8701'], says: 'Port 8701 is given twice.' },
])('says what is wrong with $argv', ({ argv, says }) => {
  const parsed = parseOptions(argv)
  expect(parsed.ok ? '' : parsed.problem).toContain(says)
})
