import { aUser } from '../world/factories'
import { RawClient } from './raw-client'
import type { TestServer } from '../world/test-server'
import type { UserRecord } from '../../../server/data/records/account-records'

type Fetch = (to: string, init: RequestInit) => Promise<Response>
type Headers = Record<string, string>

const base64 = (value: string) => Buffer.from(value).toString('base64')

/** `Upload-Metadata` of these values. */
export const metadata = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([key, value]) => `${key} ${base64(value)}`)
    .join(',')

/**
 * Speaks tus 1.0.0 word by word, so that a test can say any of it wrongly. An empty header is left
 * out.
 */
export class TusClient {
  constructor(private readonly fetch: Fetch) {}

  static of(server: TestServer, user: UserRecord): TusClient {
    return new TusClient(server.fetchAs(user))
  }

  create(size: number, headers: Headers = {}, body?: BodyInit): Promise<Response> {
    const own = {
      'upload-length': String(size),
      'upload-metadata': metadata({ filename: 'build.apk' }),
    }
    return this.#send('POST', '/api/uploads', { ...own, ...headers }, body)
  }

  /** Begins an upload, and returns its address. */
  async begin(size: number, headers: Headers = {}): Promise<string> {
    const response = await this.create(size, headers)
    if (response.status !== 201) throw new Error(await response.text())
    return response.headers.get('location') ?? ''
  }

  patch(address: string, offset: number, body: BodyInit, headers: Headers = {}): Promise<Response> {
    const own = {
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
    }
    return this.#send(
      'x-http-method-override' in headers ? 'POST' : 'PATCH',
      address,
      { ...own, ...headers },
      body,
    )
  }

  head(address: string, headers: Headers = {}): Promise<Response> {
    return this.#send('HEAD', address, headers)
  }

  discard(address: string): Promise<Response> {
    return this.#send('DELETE', address, {})
  }

  #send(method: string, address: string, headers: Headers, body?: BodyInit): Promise<Response> {
    const all = Object.entries({ 'tus-resumable': '1.0.0', ...headers }).filter(
      ([, value]) => value !== '',
    )
    const init: RequestInit & { duplex: 'half' } = {
      method,
      headers: Object.fromEntries(all),
      duplex: 'half',
    }
    return this.fetch(address, body === undefined ? init : { ...init, body })
  }
}

/** The offset of an upload, from HEAD. */
export async function offsetOf(client: TusClient, address: string): Promise<number> {
  const response = await client.head(address)
  if (!response.ok) throw new Error(`HEAD was answered ${response.status}`)
  return Number(response.headers.get('upload-offset'))
}

/** Alice, her tus client, and her typed one. */
export async function alices(server: TestServer) {
  const alice = await aUser(server, 'alice')
  return { alice, client: TusClient.of(server, alice), as: server.as(alice) }
}

/** A PATCH whose bytes the test sends at will. */
export async function patching(
  server: TestServer,
  user: UserRecord,
  address: string,
  offset: number,
  length: number,
) {
  const client = await RawClient.connect(server.port)
  return client.head(server.port, `PATCH ${address}`, {
    ...{
      'X-API-Key': await server.keyOf(user),
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': String(offset),
    },
    ...{ 'Content-Type': 'application/offset+octet-stream', 'Content-Length': String(length) },
  })
}
