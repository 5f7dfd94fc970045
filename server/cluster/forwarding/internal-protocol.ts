import { hkdfSync } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { z } from 'zod'
import { parseJson } from '../../core/json'
import type { PeerRequest } from '../../http/pipeline/remote'

/**
 * TLS by the secret of the cluster alone, without certificates (RFC 5489, RFC 7905): only who has
 * it can read, ask or answer. ECDHE gives forward secrecy.
 */
export const TLS_CHOICES = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const

/** The key of TLS, for this use of the secret alone. */
export const keyFrom = (secret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', 'slipway between hosts 1', 32))

/** Who asked, on each request that a host passes on. Requests without it are of the host itself. */
export const CLIENT_HEADER = 'slipway-client'
/** On a reply of a host that is not the primary, and has done nothing. */
export const NOT_PRIMARY_HEADER = 'slipway-not-primary'
/** Takes deltas from another host. */
export const ACTIVITY_PATH = '/activity'
/** Says to another host whether the primary can save. */
export const TROUBLE_PATH = '/trouble'
/** Of one post. */
export const MOST_DELTAS = 2000
/** Headers of a client (16 KiB, Node's limit) and who it is. */
export const MOST_HEADER_BYTES = 64 * 1024

const clientSchema = z.strictObject({
  address: z.string(),
  protocol: z.enum(['http', 'https']),
  host: z.string(),
  isForwarded: z.boolean(),
  isOutside: z.boolean(),
  isConfidential: z.boolean(),
})

/** A Host header can have any byte, so it travels as base64. */
export const encodeClient = (client: PeerRequest): string =>
  Buffer.from(JSON.stringify(client)).toString('base64url')

/** Undefined if it is none. */
export const decodeClient = (header: string): PeerRequest | undefined =>
  clientSchema.safeParse(parseJson(Buffer.from(header, 'base64url').toString())).data

/** Splits `10.0.0.5:4405`, `host-a.example:4405` or `[fd00::5]:4405`; undefined: it is none. */
export function parseAddress(address: string): { host: string; port: number } | undefined {
  const parts = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)):(\d{1,5})$/i.exec(
    address,
  )
  const [, ipv6, name, digits] = parts ?? []
  const port = Number(digits)
  const host = ipv6 ?? name
  if (host === undefined || port < 1 || port > 65_535 || (ipv6 !== undefined && !isIPv6(ipv6)))
    return undefined
  return { host, port }
}
