/** Shorter ones are found in any text by chance, and a name such as `team-a` is no secret. */
const SHORTEST = 8
/** Tokens are rotated: what was sent a while ago may still be echoed. */
const MOST_KNOWN = 20
const HIDDEN = '***'
/** They hold names, as `production` is one: whoever reads of a refused tenant needs to know which. */
const NO_SECRET = /^(x-scope-orgid|thanos-tenant|user-agent)$/i

/**
 * What is sent to an endpoint and to nobody else: the credentials, and the values of the headers that the config names.
 * Some servers and gateways repeat them in what they say of a refused request, which is shown to everybody. It is for
 * their words: in our own, which name hosts, it would only find what is written like a secret by chance.
 */
export class HiddenSecrets {
  readonly #known = new Set<string>()

  constructor(headers: Readonly<Record<string, string>>) {
    for (const [name, value] of Object.entries(headers)) if (!NO_SECRET.test(name)) this.#learn(value)
  }

  /** The value of an Authorization header that is sent. */
  learnAuthorization(value: string): void {
    const [scheme = '', credentials = value] = value.split(/ (.*)/s)
    this.#learn(credentials)
    if (scheme.toLowerCase() !== 'basic') return
    const pair = Buffer.from(credentials, 'base64').toString('utf8')
    this.#learn(pair.slice(pair.indexOf(':') + 1))
  }

  /** A text without them. */
  hide(text: string): string {
    let shown = text
    for (const secret of this.#known) shown = shown.replaceAll(secret, HIDDEN)
    return shown
  }

  #learn(secret: string): void {
    if (secret.length < SHORTEST || this.#known.has(secret)) return
    const all = [...this.#known, secret].slice(-MOST_KNOWN)
    this.#known.clear()
    // The longest first, where one is part of another.
    for (const one of all.sort((a, b) => b.length - a.length)) this.#known.add(one)
  }
}
