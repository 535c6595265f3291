/** The demo's control page, as far as the journeys use it. */
export interface DemoState {
  readonly phase: string
  /** Unix seconds of the first request of the phase. */
  readonly firstRequestOfPhaseAt: number | null
  readonly urls: { readonly prometheus: Readonly<Record<string, string>> }
  readonly load: {
    readonly cumulative: readonly {
      readonly at: number
      readonly ok: number
      readonly failed: number
      readonly timeouts: number
    }[]
  }
}

export function appUrl(): string {
  return process.env.GOLDSEAM_E2E_APP ?? ''
}

async function post(path: string, body: object): Promise<void> {
  const response = await fetch(`${process.env.GOLDSEAM_E2E_CONTROL}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
}

export const turnTo = (phase: 'calm' | 'ramp' | 'scaled' | 'without'): Promise<void> => post('/phase', { phase })

export const prometheus = (cluster: string, action: 'stop' | 'start'): Promise<void> =>
  post('/prometheus', { cluster, action })

export async function demoState(): Promise<DemoState> {
  const response = await fetch(`${process.env.GOLDSEAM_E2E_CONTROL}/state`)
  return (await response.json()) as DemoState
}

/** A GET of Goldseam's own API. */
export async function api<T>(path: string): Promise<T> {
  const response = await fetch(`${appUrl()}${path}`)
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}
