import { api, type Endpoint } from '../../server/contract'
import { operation } from './operation'
import { componentSchemas } from './schemas'

const about =
  'The pages use only these calls. Success bodies carry `success: true`; ' +
  'every other reply is a Problem with a stable `code`. Sign in with the session cookie of a ' +
  'browser, or send an API key.'

export function openapi(version: string) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Slipway',
      version,
      description: about,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:4780', description: 'A headless host with its defaults' }],
    paths: paths(),
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'slipway.sid',
          description: 'Set by POST /api/auth/login',
        },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'Created on the page "API keys"',
        },
      },
      schemas: componentSchemas(),
    },
  }
}

function paths(): Record<string, Record<string, object>> {
  const result: Record<string, Record<string, object>> = {}
  for (const [feature, endpoints] of Object.entries(api)) {
    for (const [action, endpoint] of Object.entries<Endpoint>(endpoints)) {
      const path = endpoint.path.replace(/[:*](\w+)/g, '{$1}')
      const operations = (result[path] ??= {})
      operations[endpoint.method.toLowerCase()] = operation(feature, action, endpoint)
    }
  }
  return result
}
