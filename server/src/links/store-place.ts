/** A server that keeps links. Its password and certificates are read from their files for each connection. */
export interface ServerPlace {
  readonly host: string
  /** Null: the usual one. */
  readonly port: number | null
  readonly database: string
  readonly username: string | null
  readonly password: (() => Promise<string>) | null
  /** Null: not encrypted. `ca`: certificates to trust instead of the usual ones, PEM. */
  readonly tls: { readonly ca: (() => Promise<string>) | null } | null
}

export type StorePlace =
  | { readonly kind: 'memory' }
  | { readonly kind: 'directory'; readonly directory: string }
  | ({ readonly kind: 'redis' | 'postgres' } & ServerPlace)
