import { scopeOf, travelsInBody, type Access, type Endpoint } from '../../server/contract'
import { responses } from './responses'
import { binary, inputSchema, type JsonSchema } from './schemas'

type Field = readonly [name: string, schema: JsonSchema]

export function operation(feature: string, action: string, endpoint: Endpoint) {
  const input = inputSchema(endpoint.input)
  const fields = Object.entries(input.properties ?? {}) as Field[]

  const pathNames = pathParameters(endpoint.path)
  const inPath = fields.filter(([name]) => pathNames.includes(name))
  const rest = fields.filter(([name]) => !pathNames.includes(name))
  const required = input.required ?? []

  const inBody = travelsInBody(endpoint)
  const headers = endpoint.headers ? inputSchema(endpoint.headers) : {}

  return {
    operationId: `${feature}.${action}`,
    tags: [feature],
    summary: endpoint.summary,
    ...(endpoint.access === 'user'
      ? { description: `An API key needs the scope \`${scopeOf(endpoint)}\`.` }
      : {}),
    security: security[endpoint.access],
    parameters: [
      ...inPath.map(([name, schema]) => ({ name, in: 'path', required: true, schema })),
      ...(inBody ? [] : rest).map(([name, schema]) => ({
        name,
        in: 'query',
        required: required.includes(name),
        schema,
      })),
      ...(Object.entries(headers.properties ?? {}) as Field[]).map(([name, schema]) => ({
        name,
        in: 'header',
        required: headers.required?.includes(name) ?? false,
        schema,
      })),
    ],
    ...(inBody ? requestBody(endpoint, rest, required) : {}),
    ...(endpoint.body === 'bytes' ? { requestBody: bytesBody } : {}),
    responses: responses(endpoint),
  }
}

const bytesBody = { required: true, content: { 'application/octet-stream': { schema: binary } } }

const security: Record<Access, object[]> = {
  anyone: [{}, { session: [] }, { apiKey: [] }],
  user: [{ session: [] }, { apiKey: [] }],
  session: [{ session: [] }],
  window: [{ session: [] }],
  host: [{ session: [] }],
}

const pathParameters = (path: string) =>
  [...path.matchAll(/[:*](\w+)/g)].map(([, name]) => name ?? '')

function requestBody({ body }: Endpoint, fields: readonly Field[], required: readonly string[]) {
  const all: readonly Field[] = body === 'multipart' ? [['file', binary], ...fields] : fields
  if (all.length === 0) return {}

  const needed = all
    .map(([name]) => name)
    .filter((name) => name === 'file' || required.includes(name))

  const schema = {
    type: 'object',
    properties: Object.fromEntries(all),
    ...(needed.length > 0 ? { required: needed } : {}),
  }

  const type = body === 'multipart' ? 'multipart/form-data' : 'application/json'
  return { requestBody: { required: needed.length > 0, content: { [type]: { schema } } } }
}
