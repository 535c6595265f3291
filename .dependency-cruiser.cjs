// Which way imports may point. One table a workspace; the rules are made from it. scripts/arrows.test.ts plants
// violations and holds that each is caught.
const { existsSync, readdirSync } = require('node:fs')
const { join } = require('node:path')

const server = {
  domain: [],
  contract: [],
  config: [],
  telemetry: [],
  links: [],
  access: [],
  dialects: ['domain'],
  prometheus: ['domain', 'telemetry'],
  federation: ['domain', 'dialects', 'prometheus'],
  http: ['contract', 'domain', 'federation', 'links', 'telemetry', 'access'],
}

const shared = ['api', 'answers', 'scope', 'charts', 'ui', 'format']
const web = {
  font: [],
  format: [],
  ui: ['font', 'format'],
  charts: ['ui', 'format'],
  scope: ['format'],
  api: ['format'],
  answers: ['api', 'ui', 'format'],
  // Read from disk, so that a new screen needs no edit here. A feature never imports a feature.
  ...Object.fromEntries(foldersIn('web/src/features').map((name) => [`features/${name}`, shared])),
  app: ['features', ...shared],
  // The wall is two programs: the shell, which needs little, and the picture. They share what they tell each other.
  'wall-link': [],
  'wall-shell': ['wall-link', 'font'],
  wall: ['wall-link', 'charts', 'ui', 'format'],
}

const TEST = '\\.test\\.tsx?$'

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Files that import each other in a circle cannot be understood or tested one by one.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'An import that leads nowhere is not checked by any other rule.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '\\.css$' },
    },
    ...arrows('server/src', server),
    {
      name: 'server-main',
      comment: 'main.ts is the process; the parts are put together in compose.ts.',
      severity: 'error',
      from: { path: '^server/src/main\\.ts$' },
      to: { path: '^server/src/', pathNot: '^server/src/(compose\\.ts|stop-signals\\.ts|token-commands\\.ts|config/)' },
    },
    {
      name: 'server-pure',
      comment: 'The domain and the contract run anywhere: no Node modules, no servers, no logs, no metrics.',
      severity: 'error',
      from: { path: '^server/src/(domain|contract)/', pathNot: TEST },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'server-pure-packages',
      comment: 'The domain imports no package, the contract only zod.',
      severity: 'error',
      from: { path: '^server/src/(domain|contract)/', pathNot: TEST },
      to: { path: 'node_modules/', pathNot: 'node_modules/zod/' },
    },
    {
      name: 'domain-without-zod',
      comment: 'The domain gets plain data; parsing is done at the edge.',
      severity: 'error',
      from: { path: '^server/src/domain/', pathNot: TEST },
      to: { path: 'node_modules/zod/' },
    },
    {
      name: 'simulation-alone',
      comment: 'What judges the domain shares nothing with it: the simulation knows only itself.',
      severity: 'error',
      from: { path: '^server/bench/triage/sim/' },
      to: { pathNot: '^server/bench/triage/sim/' },
    },
    {
      name: 'server-alone',
      comment: 'The server knows neither the web app nor the demo.',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^(web|deploy|e2e)/' },
    },
    ...arrows('web/src', web),
    {
      name: 'web-contract-only',
      comment: 'The web app knows the messages, not how they are made.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^(server/(?!src/contract/)|deploy/|e2e/)' },
    },
    {
      name: 'web-ui-knows-no-api',
      comment: 'Building blocks are shown data; they do not know where it comes from.',
      severity: 'error',
      from: { path: '^web/src/(format|ui|charts)/', pathNot: TEST },
      to: { path: '^server/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'demo-alone',
      comment: 'The demo stands in for real clusters, so it shares no code with what looks at them.',
      severity: 'error',
      from: { path: '^deploy/demo/' },
      to: { path: '^(server|web|e2e)/' },
    },
    {
      name: 'test-support',
      comment: 'Only tests may import test support.',
      severity: 'error',
      from: { path: '^(server|web|deploy/demo)/src/', pathNot: TEST },
      to: { path: `(^(server|web|deploy/demo)/test/|${TEST})` },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    // The base file: one that extends another is looked up from the wrong folder.
    tsConfig: { fileName: 'tsconfig.base.json' },
    // Types count: a type of another layer is knowledge of it.
    tsPreCompilationDeps: 'specify',
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
}

/** A rule a folder: it may import itself, what the table allows, and packages. */
function arrows(root, table) {
  return Object.entries(table).map(([folder, allowed]) => ({
    name: `${root.split('/')[0]}-${folder.replace('/', '-')}`,
    comment: `${folder} may import only ${allowed.join(', ') || 'packages'}.`,
    severity: 'error',
    from: { path: `^${root}/${folder}/` },
    to: { path: `^${root}/`, pathNot: `^${root}/(${[folder, ...allowed].join('|')})/` },
  }))
}

function foldersIn(path) {
  const full = join(__dirname, path)
  if (!existsSync(full)) return []
  return readdirSync(full, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}
