import type { Scope } from '../contract'
import { AppError } from '../core/errors'

/** The permissions of an API key. */
export interface KeyGrant {
  scopes: readonly Scope[]
  /** The project that the key is bound to; null: every project of its owner. */
  projectId: string | null
}

/**
 * The authenticated caller. `host`: the signed-in host account in the app window, or in a session
 * from a manage link. `user`: an account proved by a session or an API key. `tester`: a person with
 * a tester link, below its address only. `recipient`: the same with a share link. `sender`: the
 * same with a file request. `visitor`: none of these.
 */
export type Actor =
  | { kind: 'visitor' }
  | Tester
  | Recipient
  | Sender
  | { kind: 'user'; userId: string; credential: 'session' }
  | { kind: 'user'; userId: string; credential: 'api-key'; key: KeyGrant }
  | { kind: 'host'; userId: string; credential: 'session' }

/**
 * A tester: reads the published releases of a channel and of `stable` of one project, and public
 * content.
 */
export interface Tester {
  kind: 'tester'
  linkId: string
  projectId: string
  channel: string
  /** The link is of a preview: it reads the builds of that in place of releases. */
  isPreview?: true
  /** The path that the addresses of the link begin with: `/t/` and its token, which is a secret. */
  base: string
}

/** A person with a share link: reads its file, and public content. */
interface Recipient {
  kind: 'recipient'
  linkId: string
  fileId: string
}

/** A person with a file request: sends files to its owner, and reads public content. */
interface Sender {
  kind: 'sender'
  linkId: string
}

/** A person or program without an account. */
export const VISITOR = { kind: 'visitor' } as const

/** The actor's user id; undefined without an account. */
export const accountOf = (actor: Actor): string | undefined =>
  'userId' in actor ? actor.userId : undefined

/** The user whose session acts: an API key has none. */
export const sessionUserOf = (actor: Actor): string | undefined =>
  'credential' in actor && actor.credential === 'session' ? actor.userId : undefined

/** The actor's user id. Throws `sign_in_required` without an account. */
export function userIdOf(actor: Actor): string {
  const userId = accountOf(actor)
  if (userId === undefined) throw new AppError('sign_in_required', 'Sign in, or send an API key')
  return userId
}

export const isUser = (actor: Actor, userId: string): boolean => accountOf(actor) === userId

/** Whether the actor's key is bound to another project. */
export const isBoundElsewhere = (actor: Actor, projectId: string): boolean =>
  boundProject(actor) !== null && boundProject(actor) !== projectId

/** Whether a key may only report: apps contain it, so strangers have it. */
export const isForApps = ({ scopes }: KeyGrant): boolean =>
  scopes.every((scope) => scope === 'report')

/** The project that the actor's key is bound to; null: not bound. */
export const boundProject = (actor: Actor): string | null =>
  actor.kind === 'user' && actor.credential === 'api-key' ? actor.key.projectId : null
