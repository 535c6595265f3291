/** Simulated addresses of one cluster. */
export interface Addresses {
  nextPodIp(): string
  nextServiceIp(): string
}

/** Both clusters count from the same start: overlapping pod networks are common, and nothing may take an address for a name. */
export function createAddresses(): Addresses {
  let pod = 10
  let service = 10
  const dotted = (prefix: string, n: number) => `${prefix}.${Math.floor(n / 250)}.${(n % 250) + 1}`
  return {
    nextPodIp: () => dotted('10.42', pod++),
    nextServiceIp: () => dotted('10.43', service++),
  }
}
