import type { z } from 'zod'
import type { ErrorCode } from './errors'

/**
 * The weakest caller that may reach a handler; the feature's policy decides the rest.
 * `anyone`: also without an account. `user`: session or API key. `session`: a person, not a key. `window`: a person at
 * the app window; `host`: the host account there, or in a session that manages the host by a link. For all others the
 * call does not exist.
 */
export type Access = 'anyone' | 'user' | 'session' | 'window' | 'host'

/** What an API key may do: read; upload files; change and delete everything else. */
export const scopes = ['read', 'upload', 'manage'] as const
export type Scope = (typeof scopes)[number]

/** One operation of the API, described once: router, typed client, validation and openapi.json all read this. */
export interface Endpoint<In extends z.ZodObject = z.ZodObject, Out extends z.ZodObject = z.ZodObject> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** `:name` segments are taken from the input; the rest travels as body (JSON and forms) or else as query. */
  path: `/api/${string}`
  summary: string
  access: Access
  input: In
  /** Request headers that say more than how the message travels, by their names in lower case. */
  headers?: z.ZodObject
  /** The success body, without the `success: true` that every success body carries. */
  reply: Out
  /** 201 where the call makes something; 204 where there is nothing to say, and no body. */
  status?: 200 | 201 | 204
  /** `multipart`: one `file` part beside the input. `bytes`: those of a file, as they are. `json`: the default. */
  body?: 'json' | 'multipart' | 'bytes'
  /** What an API key must be allowed, where method and body do not tell it. */
  scope?: Scope
  /** A key that is bound to one project may use it, for that project and what is to become part of it. */
  boundKeys?: true
  /** The success body is the bytes of a file; `reply` is then empty. */
  download?: true
  /** A reply that costs much time or memory: an address gets a few of them at once. */
  heavy?: true
  /** The success body is a stream of server-sent events; the data of each is `reply`. */
  events?: true
  errors: readonly ErrorCode[]
}

/** Describes an endpoint and keeps the exact types of its input and reply. */
export function endpoint<const Described extends Endpoint>(described: Described): Described {
  return described
}

/** What every call that answers with bytes may say instead (RFC 9110 §13, §14). */
export const downloadErrors = [
  'not_found',
  'precondition_failed',
  'range_not_satisfiable',
  'too_many_requests',
] as const satisfies readonly ErrorCode[]

/** The scope that an API key needs for this endpoint. */
export function scopeOf({ method, body, scope }: Pick<Endpoint, 'method' | 'body' | 'scope'>): Scope {
  if (scope !== undefined) return scope
  if (method === 'GET') return 'read'
  return body === 'multipart' || body === 'bytes' ? 'upload' : 'manage'
}

/** Whether the input of this endpoint travels in the body (else in the query). */
export const travelsInBody = ({ method, body }: Pick<Endpoint, 'method' | 'body'>): boolean =>
  (method === 'POST' || method === 'PUT') && body !== 'bytes'
