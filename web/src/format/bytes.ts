import { shortCount } from './rate.ts'

/** A size with a letter: 41.3 kB. */
export function bytes(count: number): string {
  const [, digits = '', letter = ''] = /^([\d.]+)([kMG]?)$/.exec(shortCount(count)) ?? []
  return `${digits} ${letter}B`
}

/** Bytes per second with a letter: 12.4 kB/s. */
export function bytesPerSecond(rate: number): string {
  return `${bytes(rate)}/s`
}

interface Bytes {
  readonly bytesPerSecondIn: number | null
  readonly bytesPerSecondOut: number | null
  readonly openConnections: number | null
}

/** What is known of traffic without requests, one text a fact; nothing is left out silently but what is not known. */
export function tcpTexts(tcp: Bytes | null): string[] {
  if (tcp === null) return []
  const { bytesPerSecondIn: received, bytesPerSecondOut: sent, openConnections: open } = tcp
  return [
    ...(received === null ? [] : [`${bytesPerSecond(received)} in`]),
    ...(sent === null ? [] : [`${bytesPerSecond(sent)} out`]),
    ...(open === null ? [] : [`${shortCount(open)} ${open === 1 ? 'connection' : 'connections'}`]),
  ]
}
