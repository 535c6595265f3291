import { setMaxListeners } from 'node:events'
import { createPrometheus } from '../../src/prometheus/create-prometheus.ts'
import { type Answering, type FakePrometheus, json, startFakePrometheus, vector } from './fake-prometheus.ts'

/** As those of the engine: many calls wait on one. */
export const never = new AbortController().signal
setMaxListeners(0, never)

export const ok =
  (value: string, extra: object = {}): Answering =>
  (_, response) =>
    json(response, 200, vector([{ value }], extra))
export const broken: Answering = (_, response) => void response.writeHead(503).end()
export const hanging: Answering = () => new Promise(() => undefined)

/** A cluster whose replicas answer as told; the clock is set by hand. */
export async function startFakeCluster(hows: readonly Answering[], timeoutSeconds = 5, concurrency?: number) {
  const replicas: FakePrometheus[] = await Promise.all(hows.map((how) => startFakePrometheus(how)))
  const clock = { seconds: 1_000 }
  const observed: string[] = []
  const endpoints = replicas.map(({ url }) => ({
    url,
    headers: {},
    authorization: async () => null,
    timeoutSeconds,
    maxResponseBytes: 1_000_000,
    maxSeries: 100,
    ...(concurrency === undefined ? {} : { concurrency }),
  }))
  const api = createPrometheus(
    { name: 'east', endpoints },
    { nowSeconds: () => clock.seconds, observe: (name, outcome) => observed.push(`${name} ${outcome}`) },
  )
  const value = async () => [...(await api.query('x', 1_000, never)).data][0]?.value
  const states = () => api.status().map(({ state }) => state)
  const close = async () => {
    await Promise.all([api.close(), ...replicas.map((replica) => replica.close())])
  }
  return { api, replicas, clock, observed, value, states, close }
}
