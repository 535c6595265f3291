import { request, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ControlActions } from './api.ts'
import { startControlServer } from './server.ts'

let port: number
let server: Server
let done: string[] = []
const actions: ControlActions = {
  state: () => ({ phase: 'calm' }),
  load: () => ({ total: 0 }),
  goTo: async (phase) => {
    done.push(phase)
    return phase === 'ramp' ? undefined : 'Unknown phase.'
  },
  setTimer: (on) => done.push(`timer ${on}`),
  prometheus: async (cluster, action) => {
    done.push(`${action} ${cluster}`)
    return undefined
  },
}

beforeAll(async () => {
  server = await startControlServer(0, actions)
  const address = server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
beforeEach(() => {
  done = []
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const JSON_TYPE = { 'content-type': 'application/json' }

test.each([
  { method: 'GET', path: '/state', headers: {}, body: '', status: 200, does: [], why: 'the state' },
  { method: 'GET', path: '/', headers: {}, body: '', status: 200, does: [], why: 'the page' },
  { method: 'GET', path: '/nothing', headers: {}, body: '', status: 404, does: [], why: 'no such page' },
  {
    method: 'POST',
    path: '/phase',
    headers: JSON_TYPE,
    body: '{"phase":"ramp"}',
    status: 200,
    does: ['ramp'],
    why: 'a phase',
  },
  {
    method: 'POST',
    path: '/phase',
    headers: JSON_TYPE,
    body: '{"phase":"x"}',
    status: 400,
    does: ['x'],
    why: 'an unknown phase',
  },
  { method: 'POST', path: '/phase', headers: JSON_TYPE, body: 'nonsense', status: 400, does: [], why: 'not JSON' },
  {
    method: 'POST',
    path: '/phase',
    headers: {},
    body: '{"phase":"ramp"}',
    status: 415,
    does: [],
    why: 'a form of another site can send no JSON type',
  },
  {
    method: 'POST',
    path: '/timer',
    headers: JSON_TYPE,
    body: '{"on":false}',
    status: 200,
    does: ['timer false'],
    why: 'the timer',
  },
  {
    method: 'POST',
    path: '/prometheus',
    headers: JSON_TYPE,
    body: '{"cluster":"west","action":"stop"}',
    status: 200,
    does: ['stop west'],
    why: 'stopping one',
  },
  {
    method: 'POST',
    path: '/prometheus',
    headers: JSON_TYPE,
    body: '{"cluster":"west","action":"burn"}',
    status: 400,
    does: [],
    why: 'no such action',
  },
  {
    method: 'GET',
    path: '/state',
    headers: { host: 'evil.example' },
    body: '',
    status: 421,
    does: [],
    why: 'a foreign name that points here',
  },
])('$method $path: $status ($why)', async ({ method, path, headers, body, status, does }) => {
  expect(await send(method, path, headers, body)).toBe(status)
  expect(done).toEqual(does)
})

function send(method: string, path: string, headers: Record<string, string>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
