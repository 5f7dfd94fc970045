import { request as send } from 'node:http'
import { networkInterfaces } from 'node:os'

/** Descriptions and replies of real routers have up to 30 kB. */
const MAX_BYTES = 200_000
const MAX_HEADER_BYTES = 16_384

interface Ask {
  url: URL
  /** This computer's address, or an earlier one: the router checks the sender. */
  from: string
  /** Replaces the host of the URL, e.g. by `fe80::1%eth0`, which a URL cannot name. */
  host?: string | undefined
  soap?: { action: string; body: string }
  /** Time limit for the whole reply. */
  patienceMs: number
  signal?: AbortSignal | undefined
}

/**
 * Asks a router by HTTP. Throws if it does not answer in time, answers too much, or breaks off.
 * Follows no redirect: that is an answer with its status.
 */
export function askHttp({
  url,
  from,
  host,
  soap,
  patienceMs,
  signal,
}: Ask): Promise<{ status: number; body: string }> {
  const limit = AbortSignal.timeout(patienceMs)

  const headers = soap
    ? {
        'Content-Type': 'text/xml; charset="utf-8"',
        'Content-Length': Buffer.byteLength(soap.body),
        SOAPAction: `"${soap.action}"`,
      }
    : {}

  const options = {
    host: host ?? url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 80 : Number(url.port),
    path: url.pathname + url.search,
    method: soap ? 'POST' : 'GET',
    headers: { ...headers, Host: url.host, Connection: 'close' },
    // A mapping of an earlier address is removed from the present one.
    localAddress: isOwn(from) ? from : undefined,
    agent: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  }

  return new Promise((resolve, reject) => {
    const asking = send(options, (response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > MAX_BYTES) response.destroy(new Error('The router answers too much'))
        else chunks.push(chunk)
      })
      response.on('error', reject)
      response.on('close', () => reject(new Error('The router broke off its answer')))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: String(Buffer.concat(chunks)) }),
      )
    })

    asking.on('error', reject)
    asking.end(soap?.body)
  })
}

const isOwn = (address: string) =>
  Object.values(networkInterfaces()).some((all) => all?.some((it) => it.address === address))
