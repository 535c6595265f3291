/** What the wall's shell and the picture in its frame tell each other. The frame has an origin of its own: data only. */

/** How the shell stands with the server. Times are milliseconds that have passed. */
export type Link =
  | { readonly state: 'opening' }
  | { readonly state: 'live' }
  | { readonly state: 'lost'; readonly why: string; readonly retryInMs: number }
  /** The server wants a token that this screen has not; `code` null: none could be had yet. */
  | { readonly state: 'unpaired'; readonly code: string | null; readonly why: string }
  /** The server says that this wall's address is wrong. */
  | { readonly state: 'refused'; readonly why: string }

export type ToPicture =
  /** `json` is a frame of the server's stream, `ageMs` how long ago it came. */
  | { readonly kind: 'frame'; readonly seq: number; readonly json: string; readonly ageMs: number }
  | { readonly kind: 'link'; readonly link: Link }
  | { readonly kind: 'wake'; readonly held: boolean }
  /** A key was pressed: somebody is near. */
  | { readonly kind: 'touch' }
  | { readonly kind: 'ping'; readonly count: number }

export type ToShell =
  /** `script`: the path of the picture's own script, which has a hash of its text in its name. */
  | { readonly kind: 'ready'; readonly script: string }
  /** The frame with this number is on the screen. */
  | { readonly kind: 'painted'; readonly seq: number }
  | { readonly kind: 'pong'; readonly count: number; readonly heapBytes: number | null }

export function isToShell(value: unknown): value is ToShell {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false
  return value.kind === 'ready' || value.kind === 'painted' || value.kind === 'pong'
}
