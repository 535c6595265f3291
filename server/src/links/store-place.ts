/** A server that keeps links. Its password is read from its file at each connection. */
export interface ServerPlace {
  readonly host: string
  /** Null: the usual one. */
  readonly port: number | null
  readonly database: string
  readonly username: string | null
  readonly password: (() => Promise<string>) | null
  /** Null: not encrypted. `ca`: certificates to trust instead of the usual ones, PEM. */
  readonly tls: { readonly ca: string | null } | null
}

export type StorePlace =
  | { readonly kind: 'memory' }
  | { readonly kind: 'directory'; readonly directory: string }
  | ({ readonly kind: 'redis' | 'postgres' } & ServerPlace)
