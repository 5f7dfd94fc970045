import type { IncomingMessage } from 'node:http'
import { awaitResponse } from '../core/net/await-response'
import type { Recheck } from '../http/transfers/transfer'

/** These would change the status of the answer. */
const ABOUT_BYTES = [
  'range',
  'if-range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
]
const FORBIDDEN = new Set([401, 403, 404, 410])
/** For the answer, in ms. */
const PATIENCE_MS = 5000

/**
 * Asks the process that took over the port and the library whether a download would still begin: by
 * its own request without the bytes. `base`: of the host, at this computer.
 */
export const askNextProcess =
  (base: string): Recheck =>
  async ({ url: path, headers, socket }: IncomingMessage) => {
    const isSecure = 'encrypted' in socket
    const { request } = isSecure
      ? process.getBuiltinModule('node:https')
      : process.getBuiltinModule('node:http')
    const about = Object.entries(headers).filter(([name]) => !ABOUT_BYTES.includes(name))
    const head = request(isSecure ? base.replace(/^http:/, 'https:') : base, {
      method: 'HEAD',
      path,
      headers: { ...Object.fromEntries(about), connection: 'close' },
      // It is this computer, whatever its certificate names.
      rejectUnauthorized: false,
    })
    head.end()
    const { statusCode = 0 } = await awaitResponse(head, AbortSignal.timeout(PATIENCE_MS))
    return !FORBIDDEN.has(statusCode)
  }
