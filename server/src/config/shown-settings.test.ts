import { expect, test } from 'vitest'
import { parseConfig } from './config.ts'
import { shownSettings } from './shown-settings.ts'

test.each([
  { written: '512KiB', shown: '512 KiB' },
  { written: '100KiB', shown: '100 KiB' },
  { written: '1.5MiB', shown: '1.5 MiB' },
  { written: '48MiB', shown: '48 MiB' },
  { written: '1023KiB', shown: '1023 KiB' },
  { written: '2GiB', shown: '2 GiB' },
  { written: '1025B', shown: '1 KiB' },
])('a limit of $written is shown as it takes effect', ({ written, shown }) => {
  const parsed = parseConfig(
    `clusters: [{ name: east, endpoints: [{ url: http://e }] }]\nlimits: { maxResponseBytes: ${written} }`,
    'f',
  )
  if (!('config' in parsed)) throw new Error('the config is wrong')
  const { config } = parsed
  const [cluster] = config.clusters
  const settings = cluster === undefined ? [] : shownSettings(config, cluster)
  expect(settings.find(({ name }) => name === 'limits.maxResponseBytes')?.value).toBe(shown)
})
