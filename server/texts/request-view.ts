import type { AccessState } from '../contract/accounts/access-requests'
import { joinWords } from './format'

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

/** Names the kinds of files that a request takes: `.sav, .txt, and .zip`. */
export const formatKinds = (kinds: readonly string[]): string =>
  joinWords(kinds.map((kind) => `.${kind}`))

/** The form with which a person asks for access. Its texts are untrusted. */
export interface AccessFormView {
  /** The project, and the address of its page. */
  title: string
  back: string
  /** What the project team says about it. */
  note: string
  /** Where the form goes. */
  form: string
  /** Makes sending twice one request. */
  key: string
  /** The most characters of the note. */
  longest: number
  /** Why the last request was not sent. */
  problem: string | null
}

/** A request for access, as its asker sees it. */
export interface AskedView {
  /** The project, and the address of its page; null: visitors cannot open it. */
  title: string
  project: string | null
  state: AccessState
  /** What the asker sent; null: nothing. */
  name: string | null
  email: string | null
  note: string
  /** UTC ISO 8601. */
  sentAt: string
  /** Where the request is withdrawn. */
  withdraw: string
  now: Date
}
