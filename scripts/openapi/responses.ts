import { z } from 'zod'
import { errorStatus, type Access, type Endpoint, type ErrorCode } from '../../server/contract'
import { binary, outputSchema, ref, type JsonSchema } from './schemas'

export function responses(endpoint: Endpoint) {
  return { ...success(endpoint), ...failures(endpoint), default: problem('Any other failure') }
}

function success({ input, reply, status = 200, download, events }: Endpoint) {
  if (download)
    return {
      200: bytes('The whole file'),
      206: bytes('The requested range'),
      ...redirected(input),
    }

  if (status === 302) return { 302: { description: 'The address is in the header Location' } }
  if (status === 204) return { 204: { description: 'Done' } }

  const body = z.object({ success: z.literal(true) }).extend(reply.shape)
  const schema = outputSchema(body)

  if (events)
    return {
      200: {
        description: 'Events, each with this as its data',
        content: { 'text/event-stream': { schema } },
      },
    }
  return { [status]: { description: 'Done', ...json(schema) } }
}

/** Files that a bucket may send. */
const redirected = (input: Endpoint['input']) =>
  'from' in input.shape
    ? {
        302: {
          description:
            'A public file is in the bucket: for a short time at the address in the header ' +
            'Location',
        },
      }
    : {}

/** Several codes can share a status; the description lists them. */
function failures(endpoint: Endpoint) {
  const codes = Map.groupBy(new Set(codesOf(endpoint)), (code) => errorStatus[code])
  return Object.fromEntries(
    [...codes].map(([status, names]) => [status, problem(names.join(', '))]),
  )
}

/** `forbidden`: the key lacks the scope. Calls of the window and the host are 404 for others. */
const accessErrors: Record<Access, ErrorCode[]> = {
  anyone: [],
  user: ['sign_in_required', 'bad_api_key', 'forbidden'],
  session: ['sign_in_required', 'bad_api_key'],
  window: ['not_found', 'sign_in_required'],
  host: ['not_found'],
}

function codesOf({ access, asksAgain, input, method, errors }: Endpoint): ErrorCode[] {
  const hasInput = Object.keys(input.shape).length > 0
  return [
    ...(hasInput ? (['invalid_input'] as const) : []),
    ...accessErrors[access],
    ...(asksAgain ? (['proof_needed'] as const) : []),
    ...(method === 'GET' ? [] : (['foreign_origin'] as const)),
    ...errors,
  ]
}

const problem = (description: string) => ({ description, ...json(ref('Problem')) })

const bytes = (description: string) => ({
  description,
  content: { 'application/octet-stream': { schema: binary } },
})

const json = (schema: JsonSchema) => ({ content: { 'application/json': { schema } } })
