import { address, encodeBody } from '../../../renderer/lib/client/api-client'
import { endpointOf, type Call } from '../calls'

/** Asks as one of the actors. */
export type Fetch = (path: string, init?: RequestInit) => Promise<Response>
type Asked = { method?: string; range?: string }

/** Makes a call of the contract. */
export async function ask(
  fetch: Fetch,
  call: Call,
  input: object,
  { method, range }: Asked = {},
): Promise<Response> {
  const endpoint = endpointOf(call)
  const named = Object.entries(input).filter(([name]) => isHeader(name))
  const { url, rest } = address(
    endpoint,
    Object.fromEntries(Object.entries(input).filter(([name]) => !isHeader(name))),
  )
  const takesFile = endpoint.body === 'multipart' || endpoint.body === 'bytes'
  const body = encodeBody(
    endpoint,
    takesFile ? { ...rest, file: rest['file'] ?? new File(['x'], 'x.txt') } : rest,
  )
  const headers: Record<string, string> =
    typeof body === 'string' ? { 'content-type': 'application/json' } : {}
  for (const [name, value] of named) headers[name] = String(value)
  if (range !== undefined) headers['range'] = range
  const init = { method: method ?? endpoint.method, headers, redirect: 'manual' as const }
  return fetch(url, body === undefined ? init : { ...init, body })
}

/** The status of its reply, all of which is read. */
export async function statusOf(...asking: Parameters<typeof ask>): Promise<number> {
  const response = await ask(...asking)
  await (endpointOf(asking[1]).events ? response.body?.cancel() : response.arrayBuffer())
  return response.status
}

/** Inputs have names like `project_id`. */
const isHeader = (name: string) => name.includes('-')
