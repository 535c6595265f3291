/** Ports for programs that are told where to listen: tests, benchmarks and the demo's matrix start such. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

const HOST = '127.0.0.1'
/**
 * Below the range from which the kernel draws for outgoing connections and for listening on 0 (Linux 32768, others
 * 49152): a port of that range that was free a moment ago may be anybody's when the program comes to take it.
 */
const FIRST = 20_000
const END = 32_768
const ATTEMPTS = 1_000

/**
 * `count` ports of the loopback on which nothing listens. Each stays promised to this process until it ends, also while
 * its program is down: a UDP socket holds the number, so that no other process of ours is promised the same.
 *
 * @param {number} count
 * @returns {Promise<number[]>}
 */
export async function freePorts(count) {
  const ports = []
  for (let taken = 0; ports.length < count; ) {
    const port = FIRST + Math.floor(Math.random() * (END - FIRST))
    if (await promise(port)) ports.push(port)
    else if (++taken === ATTEMPTS) throw new Error(`No free ports left on ${HOST} between ${FIRST} and ${END - 1}.`)
  }
  return ports
}

/** @returns {Promise<number>} */
export async function freePort() {
  const [port] = await freePorts(1)
  return port
}

async function promise(port) {
  const holder = createSocket('udp4').bind({ port, address: HOST, exclusive: true })
  if (!(await begins(holder))) return false
  holder.unref()
  const probe = createServer().listen({ port, host: HOST, exclusive: true })
  if (await begins(probe)) {
    await once(probe.close(), 'close')
    return true
  }
  holder.close()
  return false
}

async function begins(socket) {
  try {
    await once(socket, 'listening')
    return true
  } catch (error) {
    if (error.code === 'EADDRINUSE' || error.code === 'EACCES') return false
    throw error
  }
}
