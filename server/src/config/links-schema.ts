import { z } from 'zod'
import { closest } from './did-you-mean.ts'
import { byteSize, duration, fileName, text, withoutCredentials } from './fields.ts'
import type { LinksConfig } from './settings.ts'
import { storeUrl } from './store-url.ts'

const wholeNumber = z.int({ error: 'a whole number is expected here' })

/** How others reach this Goldseam, without a slash at the end. */
const publicUrl = text('a URL such as https://goldseam.example.com').transform((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.search + url.hash + url.username + url.password !== '')
    context.addIssue(
      `'${withoutCredentials(value)}' is not how others reach this Goldseam; write https://goldseam.example.com`,
    )
  return value.replace(/\/+$/, '')
})

export const PreviewFile = z.strictObject(
  { url: publicUrl, keyFile: fileName },
  { error: 'settings such as { url: https://goldseam.example.com, keyFile: preview.key } are expected here' },
)

export const LinksFile = z.strictObject(
  {
    directory: fileName.optional(),
    store: storeUrl.optional(),
    storePasswordFile: fileName.optional(),
    storeCaFile: fileName.optional(),
    keepFor: z
      .union([z.literal('forever').transform(() => null), duration(3_600, 3_650 * 86_400)], {
        error: 'use forever, or a duration such as 90d',
      })
      .prefault('forever'),
    maxCount: wholeNumber.min(1, 'use 1 to 1000000').max(1_000_000, 'use 1 to 1000000').default(10_000),
    maxBytes: byteSize.prefault('1MiB'),
    unfurl: z.boolean({ error: 'true or false is expected here' }).default(true),
    preview: PreviewFile.optional(),
  },
  { error: 'settings such as { directory: /var/lib/goldseam/links } are expected here' },
)

/** The links' part of the config, in SI units. */
export function linksOf(file: z.output<typeof LinksFile>): LinksConfig {
  const { store, storePasswordFile = null, storeCaFile = null } = file
  return {
    directory: file.directory ?? null,
    store: store === undefined ? null : { ...store, passwordFile: storePasswordFile, caFile: storeCaFile },
    keepForSeconds: file.keepFor,
    maxCount: file.maxCount,
    maxBytes: file.maxBytes,
    unfurl: file.unfurl,
    preview: file.preview ?? null,
  }
}

/** What a template may name, and what stands for it. Values are percent-encoded when they are put in. */
export const PLACEHOLDERS = {
  workload: ['cluster', 'namespace', 'name', 'kind', 'id'],
  cluster: ['cluster'],
  time: ['from', 'to', 'fromMs', 'toMs', 'fromSeconds', 'toSeconds'],
} as const

const template = text('a URL such as https://grafana.example.com/d/abc?var-ns={namespace}').superRefine(
  (value, context) => {
    const [, origin = '', rest = ''] = /^(https?:\/\/[^/?#]*)(.*)$/is.exec(value) ?? []
    if (origin === '' || !URL.canParse(value.replace(/[{}]/g, '')))
      context.addIssue(
        `'${withoutCredentials(value)}' is not an http or https URL; write one such as https://grafana.example.com/d/abc`,
      )
    else if (origin.includes('{')) context.addIssue('a placeholder must not choose the host; use it after the first /')
    else if (origin.includes('@')) context.addIssue('remove the credentials: this URL is shown to everybody')
    if (/[{}]/.test(rest.replaceAll(/\{[^{}]*\}/g, '')))
      context.addIssue('a brace stands alone; close it, or write %7B and %7D where braces are meant')
    const known: readonly string[] = Object.values(PLACEHOLDERS).flat()
    for (const [, name = ''] of rest.matchAll(/\{([^{}]*)\}/g)) {
      if (known.includes(name)) continue
      const meant = closest(name, known)
      context.addIssue(
        `there is no {${name}}; ${meant === null ? `use ${known.join(', ')}` : `did you mean {${meant}}?`}`,
      )
    }
  },
)

const globs = (example: string) =>
  z.array(text(example).min(1), { error: `a list such as [${example}] is expected here` })

export const ToolFile = z.strictObject(
  {
    name: text('a name such as Grafana').min(1, 'give it a name').max(40, 'use at most 40 characters'),
    url: template,
    for: z.enum(['workload', 'cluster'], { error: 'use workload or cluster' }).default('workload'),
    clusters: globs('east').default([]),
    workloads: globs('"*/shop/*"').default([]),
  },
  {
    error:
      'a tool such as { name: Grafana, url: "https://grafana.example.com/d/abc?var-ns={namespace}" } is expected here',
  },
)
