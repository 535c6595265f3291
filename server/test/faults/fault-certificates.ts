import { type Authority, type Certificates, createCertificates } from '../support/certificates.ts'
import type { Fault } from './fault-proxy.ts'

let made: { readonly certificates: Certificates; readonly ours: Authority; readonly others: Authority } | null = null

/** Made when the first row asks for one. */
function authorities(): { readonly ours: Authority; readonly others: Authority } {
  if (made !== null) return made
  const certificates = createCertificates()
  made = { certificates, ours: certificates.authority('ours'), others: certificates.authority('others') }
  return made
}

/** The one that Goldseam is told to trust. */
export const ours = (): Authority => authorities().ours
export const others = (): Authority => authorities().others

/** From now on the endpoint shows this certificate. */
export function shows(issue: () => ReturnType<Authority['issue']>): () => Fault {
  return () => ({ on: 'certificate', shown: issue() })
}

export function removeCertificates(): void {
  made?.certificates.remove()
  made = null
}
