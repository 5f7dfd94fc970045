import { isIP } from 'node:net'
import { isLoopback } from '../../core/net/ip-address'
import { isSpecial } from '../../core/net/public-address'

/**
 * Why this host may not use a store, for the person who enters its address; undefined: it may. Only
 * an origin will do: https, or http on this computer and in private networks. `isOwn` knows our own
 * addresses.
 */
export function endpointProblem(
  endpoint: string,
  isOwn: (host: string, port: number) => boolean,
): string | undefined {
  const url = URL.parse(endpoint)
  if (url === null || !/^https?:$/.test(url.protocol))
    return 'Enter an address that begins with https://'
  if (url.username !== '' || url.password !== '')
    return 'Leave user name and password out of the address: the keys have their own fields'
  if (url.pathname !== '/' || /[?#]/.test(endpoint))
    return 'Enter the address without a path, ? or #'

  const host = url.hostname.replace(/^\[|\]$/g, '')
  const special = isIP(host) === 0 ? undefined : isSpecial(host)

  const isAtHome = isLoopback(host) || special === 'private'
  if (!isAtHome && special === 'other') return 'No store has this address'
  if (!isAtHome && url.protocol === 'http:')
    return 'Use https. Only stores on this computer or with a private IP address may use http'

  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  return isOwn(host, port) ? 'This is the address of this host. Enter that of the store' : undefined
}
