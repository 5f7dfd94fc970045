import { execFile } from 'node:child_process'
import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { errorCode } from '../core/durable-file'

/** Timeout in ms. */
const PATIENCE_MS = 3000

/**
 * Looks a name up as the system does, but in a separate process (getent of Linux). Node cannot
 * cancel its own lookup, and waits for it when the program ends: without a DNS server, that takes
 * 10 s for `name.local`.
 */
export const ownLookup: LookupFunction = (name, options, done) => {
  if (process.platform !== 'linux') return lookup(name, options, done)
  execFile(
    'getent',
    ['ahosts', '--', name],
    { timeout: PATIENCE_MS, killSignal: 'SIGKILL' },
    (error, output) => {
      if (errorCode(error) === 'ENOENT') return lookup(name, options, done)

      const addresses = [...new Set(output.match(/^\S+/gm))].map((address) => ({
        address,
        family: isIP(address),
      }))

      const [first] = addresses
      if (!first)
        return done(Object.assign(new Error(`Nothing knows ${name}`), { code: 'ENOTFOUND' }), '')
      return options.all === true ? done(null, addresses) : done(null, first.address, first.family)
    },
  )
}
