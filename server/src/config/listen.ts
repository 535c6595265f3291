export interface Listen {
  readonly host: string
  readonly port: number
}

/** `host:port` or `[ipv6]:port`; null when the text is neither. Port 0 means any free port. */
export function parseListen(text: string): Listen | null {
  const [, bracketed, plain, portText] = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  const port = Number(portText)
  return host === undefined || port > 65_535 ? null : { host, port }
}

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}
