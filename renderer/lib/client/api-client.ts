import type { z } from 'zod'
import type { Api, Endpoint, ErrorCode, Problem } from '../../../server/contract'
import { calls, type Call } from '../../../server/contract/calls'
import { travelsInBody } from '../../../server/contract/sending'
import { errorStatus } from '../../../server/contract/errors'

/** A failed call. `offline`: the host did not answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError'

  constructor(
    readonly code: ErrorCode | 'offline',
    message: string,
    readonly status: number,
    readonly field?: string,
    readonly suggestion?: string | number,
    /** What a sign-in needs to continue. */
    readonly next: { ticket?: string | undefined; factors?: Problem['factors'] } = {},
  ) {
    super(message)
  }
}

type Input<E extends Endpoint> = z.input<E['input']> &
  (E extends { body: 'multipart' | 'bytes' } ? { file: Blob } : unknown)
type Send<E> = E extends Endpoint
  ? (input: Input<E>, signal?: AbortSignal) => Promise<z.output<E['reply']>>
  : never

/** `client.apiKeys.revoke({ id })`: one function for each JSON endpoint of the contract. */
export type Client = {
  [Feature in keyof Api]: { [Action in keyof Api[Feature]]: Send<Api[Feature][Action]> }
}

interface ClientOptions {
  headers?: Record<string, string>
  /** Defaults to the platform's own; Node tests pass one that keeps cookies. */
  fetch?: typeof fetch
  /** Returns a reply as the contract describes it. Throws if it does not match. */
  check?: (call: Call, reply: unknown) => unknown
  /** Lets the person prove who they are. A call that needed it is then sent again. */
  prove?: () => Promise<boolean>
}

/** A typed client of the host at `origin` ('' for the page's own). Its calls throw ApiError. */
export function createClient(origin: string, options: ClientOptions = {}): Client {
  const bind = (call: Call) => async (input: object, signal?: AbortSignal) => {
    const attempt = () => send(origin, options, call, input, signal)
    return attempt().catch(async (cause: unknown) => {
      const asksAgain = cause instanceof ApiError && cause.code === 'proof_needed'
      if (asksAgain && (await options.prove?.())) return attempt()
      throw cause
    })
  }
  return mapValues(calls, (feature) => mapValues(feature, bind)) as Client
}

/** Fills the `:name` segments from `input`; the rest becomes the query or the body. */
export function address(
  endpoint: Call,
  input: object,
): { url: string; rest: Record<string, unknown> } {
  const parameters = new Map<string, unknown>(Object.entries(input))
  const path = endpoint.path.replace(/([:*])(\w+)/g, (_, sign: string, name: string) => {
    const value = String(parameters.get(name))
    parameters.delete(name)
    return (sign === '*' ? value.split('/') : [value]).map(encodeURIComponent).join('/')
  })
  const rest = Object.fromEntries(parameters)
  if (travelsInBody(endpoint)) return { url: path, rest }

  const { file, ...fields } = rest
  const query = new URLSearchParams(present(endpoint.body === 'bytes' ? fields : rest)).toString()

  return {
    url: query === '' ? path : `${path}?${query}`,
    rest: endpoint.body === 'bytes' ? { file } : {},
  }
}

async function send(
  origin: string,
  options: ClientOptions,
  endpoint: Call,
  input: object,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { url, rest } = address(endpoint, input)
  const body = encodeBody(endpoint, rest)
  const request = options.fetch ?? fetch
  const response = await request(origin + url, {
    method: endpoint.method,
    headers: {
      accept: 'application/json',
      ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
    // Lets a sign-out finish although the page closes.
    keepalive: endpoint === calls.accounts.logout,
  }).catch((cause: unknown) => {
    throw signal?.aborted ? cause : new ApiError('offline', 'The host cannot be reached', 0)
  })

  const reply = readReply(response.status, await response.text())
  return options.check ? options.check(endpoint, reply) : reply
}

/** Parses the JSON of a successful reply. Throws ApiError for any other answer. */
export function readReply(status: number, text: string): unknown {
  const reply = status === 204 ? {} : parseJson(text)
  if (status >= 200 && status < 300 && reply !== undefined) return reply
  throw parseProblem(status, text)
}

/** The error of a failed reply, in the host's words if there are any. */
export function parseProblem(status: number, text: string): ApiError {
  const problem = parseJson(text)
  if (!isProblem(problem)) return new ApiError('internal', `The host answered ${status}`, status)
  const { code, error, field, suggestion, sign_in_ticket: ticket, factors } = problem
  return new ApiError(code, error, status, field, suggestion, { ticket, factors })
}

function isProblem(value: unknown): value is Problem {
  const { error, code } = Object(value) as Record<string, unknown>
  return typeof error === 'string' && typeof code === 'string' && code in errorStatus
}

export const connectionLost = (): ApiError =>
  new ApiError('offline', 'The connection to the host was lost', 0)

/** JSON text, a form for `multipart`, a file for `bytes`, or undefined. */
export function encodeBody(
  endpoint: Call,
  rest: Record<string, unknown>,
): string | FormData | Blob | undefined {
  if (endpoint.body === 'bytes' && rest.file instanceof Blob) return rest.file
  if (!travelsInBody(endpoint)) return undefined
  if (endpoint.body !== 'multipart') return JSON.stringify(rest)
  const form = new FormData()
  const { file, ...fields } = rest
  for (const [name, value] of Object.entries(present(fields))) form.append(name, value)
  if (file instanceof Blob) form.append('file', file)
  return form
}

function present(fields: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== null,
  )
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function mapValues<T extends object, R>(
  object: T,
  map: (value: T[keyof T]) => R,
): Record<string, R> {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, map(value as T[keyof T])]),
  )
}
