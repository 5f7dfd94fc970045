/** The page of a file request. Its texts are untrusted, as they come from people. */
export interface RequestView {
  owner: string
  /** What the owner asks for. */
  name: string
  /** When the request ends: UTC ISO 8601. */
  until: string
  filesLeft: number
  /** The endings that names of files may have; empty: any. */
  kinds: readonly string[]
  /** In bytes. */
  largest: number
  /** Where the form goes, and where resumable uploads begin. */
  form: string
  uploads: string
  /** Bytes per request of a resumable upload. */
  chunk: number
  /** Why the last file was not sent. */
  problem: string | null
}

/** Names the kinds of files that a request takes: `.sav, .txt and .zip`. */
export const formatKinds = (kinds: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(kinds.map((kind) => `.${kind}`))
