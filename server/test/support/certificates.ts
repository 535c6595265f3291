import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** PEM texts, and the files they are in. */
export interface Pair {
  readonly cert: string
  readonly key: string
  readonly certFile: string
  readonly keyFile: string
}

export interface Authority extends Pair {
  /** A certificate for these names, such as `IP:127.0.0.1` or `DNS:prometheus.test`; `expired` years ago. */
  issue(names: readonly string[], when?: 'valid' | 'expired'): Pair
}

export interface Certificates {
  readonly directory: string
  authority(name: string): Authority
  remove(): void
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** Certificates as an operator makes them: by openssl, which these tests need. */
export function createCertificates(): Certificates {
  const directory = mkdtempSync(join(tmpdir(), 'goldseam-tls-'))
  let sequence = 0
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' })

  function pair(name: string, make: (certFile: string, keyFile: string) => void): Pair {
    sequence += 1
    const [certFile, keyFile] = ['pem', 'key'].map((end) => join(directory, `${sequence}-${name}.${end}`))
    if (certFile === undefined || keyFile === undefined) throw new Error('unreachable')
    make(certFile, keyFile)
    return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8'), certFile, keyFile }
  }

  return {
    directory,
    authority(name) {
      const ca = pair(name, (certFile, keyFile) => {
        const out = ['-keyout', keyFile, '-out', certFile, '-days', '2', '-subj', `/CN=${name}`]
        openssl('req', '-x509', ...NEW_KEY, ...out)
      })
      return {
        ...ca,
        issue: (names, when = 'valid') =>
          pair('leaf', (certFile, keyFile) => {
            const request = `${certFile}.csr`
            const extensions = `${certFile}.ext`
            openssl('req', ...NEW_KEY, '-keyout', keyFile, '-out', request, '-subj', '/CN=leaf')
            writeFileSync(extensions, `basicConstraints=CA:FALSE\nsubjectAltName=${names.join(',')}\n`)
            const dates = when === 'expired' ? ['20200101000000Z', '20200102000000Z'] : null
            if (dates === null) {
              const signed = ['-CA', ca.certFile, '-CAkey', ca.keyFile, '-set_serial', String(1_000 + sequence)]
              openssl('x509', '-req', '-in', request, ...signed, '-days', '2', '-extfile', extensions, '-out', certFile)
              return
            }
            // Only `openssl ca` takes dates; it wants a database to write to.
            const config = `${certFile}.cnf`
            writeFileSync(`${certFile}.db`, '')
            writeFileSync(
              config,
              `[ca]\ndefault_ca=it\n[it]\ndatabase=${certFile}.db\nnew_certs_dir=${directory}\nrand_serial=yes\ndefault_md=sha256\npolicy=any\n[any]\ncommonName=supplied\n`,
            )
            const [start = '', end = ''] = dates
            const period = ['-startdate', start, '-enddate', end]
            const signing = ['-cert', ca.certFile, '-keyfile', ca.keyFile, '-extfile', extensions]
            openssl(
              'ca',
              '-batch',
              '-notext',
              '-config',
              config,
              ...signing,
              ...period,
              '-in',
              request,
              '-out',
              certFile,
            )
          }),
      }
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}
