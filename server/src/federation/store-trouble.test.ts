import { expect, test } from 'vitest'
import { partialWarnings } from '../prometheus/victoria-metrics.ts'
import { troubleOf } from './store-trouble.ts'

// As Thanos 0.42 says them, and what stands for the word of a VictoriaMetrics.
test.each([
  [
    'fetch series for {cluster="west", replica="a"} Addr: 127.0.0.1:41145 MinTime: 1 MaxTime: 2: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial tcp 127.0.0.1:41145: connect: connection refused"',
    'partial response',
    'its store 127.0.0.1:41145 does not answer: transport: Error while dialing: dial tcp 127.0.0.1:41145: connect: connection refused',
  ],
  [
    'receive series from Addr: 10.0.0.7:10901 MinTime: 1 MaxTime: 2: rpc error: code = Unknown desc = query Prometheus: send request: Post "http://127.0.0.1:9090/api/v1/read": connection refused',
    'partial response',
    'its store 10.0.0.7:10901 does not answer: query Prometheus: send request: Post "http://127.0.0.1:9090/api/v1/read": connection refused',
  ],
  ['No StoreAPIs matched for this query', 'partial response', expect.stringContaining('no store of it is connected')],
  ['No StoreAPIs available', 'partial response', expect.stringContaining('no store of it is connected')],
  [...partialWarnings(true), 'partial response', 'some storage nodes of VictoriaMetrics did not answer'] as [
    string,
    string,
    string,
  ],
  ['results truncated due to limit', 'warning', 'results truncated due to limit'],
])('%s', (warning, why, detail) => expect(troubleOf(warning)).toEqual([why, detail]))
