import { createServer } from 'node:http'
import { connect } from 'node:net'
import express from 'express'
import { afterEach, expect, test } from 'vitest'
import type { WallHub } from '../src/http/wall-hub.ts'
import { mountWallStream } from '../src/http/wall-stream.ts'
import { eventually } from './support/eventually.ts'
import { listening } from './support/fake-prometheus.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

test('a wall that does not read is left, and written to no more, once it is to go elsewhere', async () => {
  let isReady = true
  let left = 0
  const watchers: ((sent: { json: string }) => void)[] = []
  const show = (json: string) => {
    for (const watcher of watchers) watcher({ json })
  }
  const hub = {
    watch: (_: unknown, watcher: (typeof watchers)[number]) => {
      watchers.push(watcher)
      return () => {
        left += 1
      }
    },
  } as unknown as WallHub
  const app = express()
  const limitOf = () => ({ clusters: null, namespaces: null })
  mountWallStream(app, { hub, isReady: () => isReady, clusterNames: () => null, limitOf })
  const server = createServer(app)
  const port = await listening(server)
  closing.push(() => server.close())
  const socket = connect(port, '127.0.0.1').pause()
  closing.push(() => socket.destroy())
  socket.on('error', () => undefined)
  socket.write('GET /api/v1/wall/stream HTTP/1.1\r\nhost: a\r\n\r\n')
  await eventually(() => expect(watchers).toHaveLength(1))
  // More than the sockets hold.
  show('x'.repeat(12_000_000))
  isReady = false
  await eventually(() => expect(left).toBe(1))
  // Nothing catches what is written to an ended stream: it would fail this run.
  show('late')
  const connections = () => new Promise((resolve) => server.getConnections((_, count) => resolve(count)))
  await eventually(async () => expect(await connections()).toBe(0))
})
