import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Deployment } from 'kubernetes-types/apps/v1.js'
import type { ConfigMap, Container, PodSpec } from 'kubernetes-types/core/v1.js'
import { parseAllDocuments } from 'yaml'

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

export interface Manifest {
  readonly file: string
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> }
  readonly spec?: unknown
  readonly data?: ConfigMap['data']
}

/** Every manifest of these folders below `deploy`. */
export function manifestsIn(...folders: readonly string[]): readonly Manifest[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, 'deploy', folder))
      .filter((name) => name.endsWith('.yaml'))
      .flatMap((name) => {
        const file = `deploy/${folder}/${name}`
        const documents = parseAllDocuments(readFileSync(join(ROOT, file), 'utf8'))
        return documents.map((document) => ({ file, ...(document.toJS() as Omit<Manifest, 'file'>) }))
      }),
  )
}

/** The pod template of a workload; null for everything else. */
export function podOf({ kind, spec }: Manifest): PodSpec | null {
  if (kind !== 'Deployment' && kind !== 'StatefulSet') return null
  return (spec as Deployment['spec'])?.template.spec ?? null
}

export function containersOf(manifest: Manifest): readonly Container[] {
  return podOf(manifest)?.containers ?? []
}

/** Types of the Kubernetes API by its `apiVersion`; resources of operators have none. */
const TYPES: Readonly<Record<string, string>> = {
  v1: 'core/v1.js',
  'apps/v1': 'apps/v1.js',
  'networking.k8s.io/v1': 'networking/v1.js',
  'rbac.authorization.k8s.io/v1': 'rbac/v1.js',
}

/** What the compiler says of the manifests written as literals of the API's types: unknown fields, wrong values. */
export async function typeErrors(manifests: readonly Manifest[]): Promise<string> {
  const cache = join(ROOT, 'node_modules/.cache/goldseam')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'manifests-'))
  try {
    const typed = manifests.filter(({ apiVersion }) => TYPES[apiVersion] !== undefined)
    const source = typed.map(({ file, ...manifest }, index) => {
      const { apiVersion, kind } = manifest
      const from = `kubernetes-types/${TYPES[apiVersion]}`
      const text = JSON.stringify(manifest, null, 2)
      return `import type { ${kind} as T${index} } from '${from}'\n// ${file}\nexport const m${index}: T${index} = ${text}\n`
    })
    const path = join(folder, 'manifests.ts')
    writeFileSync(path, source.join('\n'))
    const tsc = join(ROOT, 'node_modules/@typescript/native/bin/tsc')
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--ignoreConfig']
    return await new Promise((resolve) => {
      execFile(process.execPath, [tsc, ...options, path], (_, stdout, stderr) => resolve(stdout + stderr))
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
