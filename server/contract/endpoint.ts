import { z } from 'zod'
import type { Sending } from './sending'
import type { ErrorCode } from './errors'

/**
 * The minimum caller; policies check the record. `anyone`: no account. `user`: session or API key.
 * `session`: a person. `window`: a person at the app window. `host`: the host account there, or a
 * session with a manage link. Callers that do not match `window` or `host` get 404.
 */
export type Access = 'anyone' | 'user' | 'session' | 'window' | 'host'

/**
 * One operation of the API: the router, the typed client, validation and openapi.json all read it.
 */
export interface Endpoint<
  In extends z.ZodObject = z.ZodObject,
  Out extends z.ZodObject = z.ZodObject,
> extends Sending {
  /**
   * The input provides `:name` segments and `*name`, the remaining path. Other fields travel in the
   * body or the query.
   */
  path:
    | `/api/${string}`
    | `/n/${string}`
    | `/p/${string}`
    | `/r/${string}`
    | `/s/${string}`
    | `/t/${string}`
    | `/u/${string}`
    | `/v2/${string}`
  summary: string
  access: Access
  input: In
  /** Names in lower case. */
  headers?: z.ZodObject
  /** The success body without `success: true`. */
  reply: Out
  /** 201: created. 204: no body. 301 and 302: redirects; `reply` is empty. */
  status?: 200 | 201 | 204 | 301 | 302
  /** Allows keys that are bound to a project, for that project and new parts of it. */
  boundKeys?: true
  /** Replies with the bytes of a file; `reply` is empty. */
  download?: true
  heavy?: true
  /**
   * Needs a session whose person was proved in the last 15 minutes: `always`, or where the account
   * has a second factor. Otherwise `proof_needed`.
   */
  asksAgain?: 'always' | 'with_factor'
  /** Also for a session whose account still has to get a second factor (`factor_required`). */
  beforeFactor?: true
  /** The most characters of its query, where an allowed input needs more than the usual 2,000. */
  longestQuery?: number
  /** All visitors get the same reply. Its counts may be two seconds old. */
  sameForVisitors?: true
  /** Replies with server-sent events; `reply` describes the data of each. */
  events?: true
  errors: readonly ErrorCode[]
}

type Optional = 'reply' | 'errors'
type Details = Omit<Endpoint, 'method' | 'path' | Optional> & Partial<Pick<Endpoint, Optional>>

const DEFAULTS = { reply: z.object({}), errors: [] } as const
type OrDefault<Given, Name extends Optional> =
  Given extends Record<Name, infer Value> ? Value : (typeof DEFAULTS)[Name]

/**
 * Describes an endpoint and keeps the exact types of its input and reply. By default its reply is
 * empty, and it has no errors but those of every call.
 */
export function endpoint<
  Method extends Endpoint['method'],
  Path extends Endpoint['path'],
  const Given extends Details,
>(method: Method, path: Path, details: Given) {
  return { method, path, ...DEFAULTS, ...details } as Given & {
    method: Method
    path: Path
    reply: OrDefault<Given, 'reply'>
    errors: OrDefault<Given, 'errors'>
  }
}

/** Errors of all calls that answer with bytes (RFC 9110 §13, §14). */
export const replyErrors = [
  'not_found',
  'precondition_failed',
  'range_not_satisfiable',
  'too_many_requests',
] as const satisfies readonly ErrorCode[]

/** Errors of all calls that answer with stored bytes. */
export const downloadErrors = [
  ...replyErrors,
  'file_damaged',
] as const satisfies readonly ErrorCode[]
