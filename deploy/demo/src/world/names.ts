/** Letters Kubernetes uses for generated names: no vowels, nothing that looks like another. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'

/** The same seed gives the same name, so that two builds of one scenario have the same pods. */
export function generatedName(seed: string, length: number): string {
  let hash = 0x811c9dc5
  let name = ''
  for (let i = 0; name.length < length; i++) {
    hash = Math.imul(hash ^ seed.charCodeAt(i % seed.length), 0x01000193) + i
    if (i >= seed.length) name += ALPHABET[(hash >>> 8) % ALPHABET.length]
  }
  return name
}
