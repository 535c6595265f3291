// @vitest-environment jsdom
import type { Truth } from '@goldseam/server/contract'
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Metric } from './metric.tsx'
import type { Reading } from './metric-text.ts'

afterEach(cleanup)

const base = { kind: 'latency', label: 'p99' } as const

const STATES: Record<Truth, { reading: Reading; seen: string; heard: string }> = {
  value: { reading: { ...base, truth: 'value', value: 0.31 }, seen: '310 ms', heard: 'p99 310 milliseconds' },
  zero: { reading: { kind: 'rate', label: 'rate', truth: 'zero', value: 0 }, seen: '0/s', heard: 'rate zero' },
  noTraffic: {
    reading: { ...base, truth: 'noTraffic', value: null },
    seen: 'no traffic',
    heard: 'p99 no traffic in window',
  },
  neverSeen: { reading: { ...base, truth: 'neverSeen', value: null }, seen: '--', heard: 'p99 no such metric' },
  stale: {
    reading: { ...base, truth: 'stale', value: 0.31, ageSeconds: 120 },
    seen: '310 ms2 m ago',
    heard: 'p99 310 milliseconds, stale, 2 minutes old',
  },
  partial: {
    reading: { ...base, truth: 'partial', value: 0.31, parts: { seen: 2, total: 3, missing: 'west' } },
    seen: '310 ms2/3',
    heard: 'p99 310 milliseconds, from 2 of 3 clusters, west missing',
  },
  lowSample: {
    reading: { ...base, truth: 'lowSample', value: 1.2, sampleCount: 812 },
    seen: '~1.20 s',
    heard: 'p99 estimate, 1.20 seconds, 812 requests',
  },
  offScale: {
    reading: { ...base, truth: 'offScale', value: 50, bucket: [50, null] },
    seen: '> 50 s',
    heard: 'p99 more than 50 seconds',
  },
}

test.each(Object.entries(STATES))('%s has its own look and its own words', (truth, { reading, seen, heard }) => {
  const { container } = render(<Metric {...reading} />)
  const metric = container.querySelector('.metric')
  expect(metric?.getAttribute('data-truth')).toBe(truth)
  expect(metric?.querySelector('[aria-hidden]')?.textContent).toBe(seen)
  expect(metric?.querySelector('.sr-only')?.textContent).toBe(heard)
})

test('no two states look or sound alike', () => {
  const states = Object.values(STATES)
  expect(new Set(states.map(({ seen }) => seen)).size).toBe(8)
  expect(new Set(states.map(({ heard }) => heard)).size).toBe(8)
})

test('the tooltip says which bucket a percentile was read from', () => {
  const { container } = render(<Metric {...base} truth="value" value={1.5} bucket={[1, 2]} />)
  expect(container.querySelector('.metric')?.getAttribute('title')).toBe('p99 1.50 s (bucket 1-2 s)')
})

test('far too few requests are no number at all', () => {
  const { container } = render(<Metric {...base} truth="lowSample" value={null} sampleCount={12} />)
  expect(container.textContent).toContain('too few (12)')
})

test('a value that is promised but absent is never printed as a digit', () => {
  const { container } = render(<Metric {...base} truth="value" value={null} />)
  expect(container.querySelector('[aria-hidden]')?.textContent).toBe('--')
})

test('where a first failure goes unseen, success is at least so much and never 100 %', () => {
  const { container } = render(<Metric kind="success" label="success" value={1} sampleCount={600} atLeast />)
  expect(container.querySelector('[aria-hidden]')?.textContent).toBe('≥ 99.83 %')
  expect(container.querySelector('.sr-only')?.textContent).toBe('success at least 99.83 percent')
})
