import { checkServerIdentity, type DetailedPeerCertificate, type PeerCertificate, type TLSSocket } from 'node:tls'

/** What a server showed when it was last connected to. Unix seconds. */
export interface ShownCertificate {
  readonly startsAtSeconds: number
  readonly endsAtSeconds: number
  /** When the first of those that signed it, and came along with it, runs out; null: none did. */
  readonly signersEndAtSeconds: number | null
}

export type Notice = (certificate: ShownCertificate) => void

/**
 * Tells of the certificate before it is judged: of one that is refused, because it has expired, nothing is known
 * afterwards. Node judges at `secure`, in the first listener of it.
 */
export function noticeOn(socket: TLSSocket, notice: Notice): void {
  socket.prependOnceListener('secure' as 'secureConnect', () => tell(socket.getPeerCertificate(true), notice))
}

/** The same where the socket is out of reach, in a tunnel: as the check of the names, after that of the dates. */
export function noticingNames(notice: Notice): typeof checkServerIdentity {
  return (host, certificate) => {
    tell(certificate, notice)
    return checkServerIdentity(host, certificate)
  }
}

function tell(certificate: PeerCertificate | DetailedPeerCertificate, notice: Notice): void {
  const shown = shownOf(certificate)
  if (shown !== null) notice(shown)
}

/** Null where there is none: of a session that was taken up again Node may know nothing. */
function shownOf(certificate: PeerCertificate | DetailedPeerCertificate): ShownCertificate | null {
  const [startsAtSeconds, endsAtSeconds] = [certificate.valid_from, certificate.valid_to].map(secondsOf)
  if (startsAtSeconds == null || endsAtSeconds == null) return null
  const ends = signersOf(certificate).flatMap(({ valid_to: end }) => secondsOf(end) ?? [])
  return { startsAtSeconds, endsAtSeconds, signersEndAtSeconds: ends.length === 0 ? null : Math.min(...ends) }
}

/** A chain that ends in itself, as each root does. */
function signersOf(certificate: PeerCertificate | DetailedPeerCertificate): DetailedPeerCertificate[] {
  const signers = new Set<DetailedPeerCertificate>()
  let signer = 'issuerCertificate' in certificate ? certificate.issuerCertificate : undefined
  while (signer !== undefined && signer !== certificate && !signers.has(signer)) {
    signers.add(signer)
    signer = signer.issuerCertificate
  }
  return [...signers]
}

function secondsOf(text: string | undefined): number | null {
  const milliseconds = Date.parse(text ?? '')
  return Number.isNaN(milliseconds) ? null : milliseconds / 1_000
}
