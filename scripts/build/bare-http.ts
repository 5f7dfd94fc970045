import * as http from 'node:http'
import type { Plugin } from 'vite'

/** What of node:http only hands on what undici has. */
const OF_UNDICI = ['WebSocket', 'CloseEvent', 'MessageEvent']

/**
 * Bundled code gets node:http without what it hands on of undici. An `import` asks a module for all that it exports, and
 * so loads undici, which nothing here uses: a host has 3 MiB less without it, measured with Node 24.
 */
export function bareHttp(): Plugin {
  const id = '\0bare-http'
  const names = Object.keys(http).filter((name) => name !== 'default' && !OF_UNDICI.includes(name))
  const code = `const http = process.getBuiltinModule('node:http')
export default http
export const { ${names.join(', ')} } = http`
  return {
    name: 'bare-http',
    enforce: 'pre',
    resolveId: (source) => (['http', 'node:http'].includes(source) ? id : undefined),
    load: (asked) => (asked === id ? code : undefined),
  }
}
