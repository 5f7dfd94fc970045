import type { z } from 'zod'
import type { ErrorCode } from './errors'

/**
 * The weakest caller that may reach a handler; the feature's policy decides the rest.
 * `anyone`: also without an account. `user`: session or API key. `session`: a person, not a key. `host`: the host
 * account at the app window; for everybody else the call does not exist.
 */
export type Access = 'anyone' | 'user' | 'session' | 'host'

/** What an API key may do: read; upload files; change and delete everything else. */
export const scopes = ['read', 'upload', 'manage'] as const
export type Scope = (typeof scopes)[number]

/** One operation of the API, described once: router, typed client, validation and openapi.json all read this. */
export interface Endpoint<In extends z.ZodObject = z.ZodObject, Out extends z.ZodObject = z.ZodObject> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `:name` segments are taken from the input; the rest travels as query (GET, DELETE) or body (POST, PUT). */
  path: `/api/${string}`
  summary: string
  access: Access
  input: In
  /** The success body, without the `success: true` that every success body carries. */
  reply: Out
  /** 201 where the call makes something. */
  status?: 200 | 201
  /** `multipart`: one `file` part beside the input. `json`: the default. */
  body?: 'json' | 'multipart'
  /** A key that is bound to one project may use it, for that project. Its `:id` or `project_id` names the project. */
  boundKeys?: true
  /** The success body is the bytes of a file; `reply` is then empty. */
  download?: true
  errors: readonly ErrorCode[]
}

/** Describes an endpoint and keeps the exact types of its input and reply. */
export function endpoint<const Described extends Endpoint>(described: Described): Described {
  return described
}

/** The scope that an API key needs for this endpoint. */
export function scopeOf({ method, body }: Pick<Endpoint, 'method' | 'body'>): Scope {
  if (method === 'GET') return 'read'
  return body === 'multipart' ? 'upload' : 'manage'
}

/** Whether the input of this endpoint travels in the body (else in the query). */
export const travelsInBody = ({ method }: Pick<Endpoint, 'method'>): boolean => method === 'POST' || method === 'PUT'
