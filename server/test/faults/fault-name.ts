import dns from 'node:dns'
import { vi } from 'vitest'
import type { Fault } from './fault-proxy.ts'

/** Nobody but a server in this process asks for it. */
export const NAME = 'prometheus.faults.test'
let resolves = true

export const notResolving: Fault = {
  on: 'name',
  resolve(does) {
    resolves = does
  },
}

/** Has the name lead to this machine until it is made not to. */
export function lookUpAsTold(): void {
  const real = dns.lookup
  const fake = (name: string, options: dns.LookupAllOptions, callback: (...answer: unknown[]) => void) => {
    if (name !== NAME) return real(name, options, callback)
    const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${NAME}`), { code: 'ENOTFOUND' })
    const found = options.all ? [[{ address: '127.0.0.1', family: 4 }]] : ['127.0.0.1', 4]
    process.nextTick(() => (resolves ? callback(null, ...found) : callback(error)))
  }
  vi.spyOn(dns, 'lookup').mockImplementation(fake as typeof dns.lookup)
}
