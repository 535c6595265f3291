import { createSecureContext } from 'node:tls'
import type { EndpointConfig } from './config/config.ts'
import { belongTogether, certificates, privateKey } from './config/secret-checks.ts'
import { notItsKey } from './config/secret-files.ts'
import type { Secrets } from './config/secrets.ts'
import { type Found, StillGood } from './config/still-good.ts'
import type { TlsMaterial } from './prometheus/connections.ts'

type TlsFiles = Pick<EndpointConfig, 'caFile' | 'clientCertificate'>

/**
 * The certificates of an endpoint as they are on disk now; while those are of no use, the last good ones. A certificate
 * and its key are written one after the other, so there are moments in which they do not belong together.
 */
export function tlsOf(files: TlsFiles, secrets: Secrets): () => Promise<TlsMaterial> {
  const { caFile, clientCertificate } = files
  const paths = [caFile, clientCertificate?.certFile, clientCertificate?.keyFile].filter((path) => path != null)
  const kept = new StillGood<TlsMaterial>((wrong) => secrets.tell(paths.join(', '), wrong))
  /** What was good last: making a context of it takes a while. */
  let judged: TlsMaterial | null = null
  return async () => {
    const [ca, cert, key] = await Promise.all([
      caFile === null ? null : secrets.read(caFile, certificates),
      clientCertificate === null ? null : secrets.read(clientCertificate.certFile, certificates),
      clientCertificate === null ? null : secrets.read(clientCertificate.keyFile, privateKey),
    ])
    if (judged?.ca === ca && judged?.cert === cert && judged?.key === key) return kept.take({ good: judged })
    const found = judge({ ca, cert, key }, files, paths)
    // The other half may come at any moment.
    if ('wrong' in found) for (const path of paths) secrets.lookAgain(path)
    else judged = found.good
    return kept.take(found)
  }
}

function judge(material: TlsMaterial, { clientCertificate }: TlsFiles, paths: readonly string[]): Found<TlsMaterial> {
  const { ca, cert, key } = material
  if (clientCertificate !== null && cert !== null && key !== null && !belongTogether(cert, key))
    return { wrong: notItsKey(clientCertificate.keyFile, clientCertificate.certFile) }
  try {
    createSecureContext({ ...(ca === null ? {} : { ca }), ...(cert === null || key === null ? {} : { cert, key }) })
    return { good: material }
  } catch (error) {
    return { wrong: `TLS cannot use what ${paths.join(', ')} hold: ${(error as Error).message}` }
  }
}
