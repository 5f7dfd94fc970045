import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import { createServer } from 'node:https'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { pairFor, trust } from '../internet/small-authority'

interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

interface Reply {
  status?: number
  headers?: Record<string, string>
  /** The reply waits for this. */
  after?: Promise<unknown> | undefined
}

/** A push service on this computer, which this process trusts; `answer` may be changed meanwhile. */
export async function aPushService(answer: (got: Received) => Reply = () => ({})) {
  const got: Received[] = []
  const { authority, pair } = pairFor('127.0.0.1')
  const service = { url: '', got, answer, certificate: authority.certificate, connections: 0 }
  const server = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url: path = '', headers } = request
      const received = { path, headers, body: Buffer.concat(chunks) }
      got.push(received)
      const { status = 201, headers: more = {}, after } = service.answer(received)
      void Promise.resolve(after).then(() => response.writeHead(status, more).end())
    })
  })
  server.on('connection', () => service.connections++)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  service.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`

  const distrust = trust(authority.certificate)
  onTestFinished(() => {
    distrust()
    server.closeAllConnections()
    server.close()
  })
  return service
}

/** A browser with a subscription, which reads what it gets as RFC 8291 and RFC 8188 say. */
export function aBrowser(endpoint: string) {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const auth = randomBytes(16)
  const keys = { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') }

  const read = ({ body }: Pick<Received, 'body'>): Record<string, string> => {
    const [salt, sender] = [body.subarray(0, 16), body.subarray(21, 86)]
    const derive = (key: Uint8Array, by: Uint8Array, info: string | Buffer, length: number) =>
      new Uint8Array(hkdfSync('sha256', key, by, info, length))
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender])
    const secret = derive(pair.computeSecret(sender), auth, info, 32)
    const decipher = createDecipheriv(
      'aes-128-gcm',
      derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16),
      derive(secret, salt, 'Content-Encoding: nonce\0', 12),
    ).setAuthTag(body.subarray(-16))
    const padded = Buffer.concat([decipher.update(body.subarray(86, -16)), decipher.final()])
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString()) as Record<
      string,
      string
    >
  }
  return { subscription: { endpoint, keys }, read }
}

/** The claims and the key of a host (RFC 8292), if it has signed them. */
export function readVapid(header = '') {
  const [, token = '', k = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const decode = (part: string) =>
    JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, string | number>

  const point = Buffer.from(k, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((it) => it.toString('base64url'))
  const key = createPublicKey({
    format: 'jwk',
    key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' },
  })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return { isSigned, key: k, head: decode(head), claims: decode(claims) }
}
