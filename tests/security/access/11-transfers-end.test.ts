import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { describe, expect } from 'vitest'
import { aFile, anUpload } from '../../support/world/factories'
import { opened } from '../../support/network/http-get'
import { keptBytes, NOTHING_KEPT } from '../../support/kept-bytes'
import { RawClient } from '../../support/network/raw-client'
import { slowUpload } from '../../support/network/slow-upload'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import type { UserRecord } from '../../../server/data/records/account-records'

/** Too large for the system's buffers. */
const bytes = randomBytes(30_000_000)
/** Enough for some of it to be written before the rest comes. */
const first = bytes.subarray(0, 4_000_000)

/** What alice sends to be known, and how that ends. */
const credentials: [string, (server: TestServer, alice: UserRecord) => Promise<Credential>][] = [
  [
    'a key that is revoked',
    async ({ inside }, alice) => {
      const { key, record } = await inside.apiKeys.create(alice.id, 'leaked', null)
      return { headers: { 'x-api-key': key }, end: () => inside.apiKeys.revoke(record) }
    },
  ],
  [
    'a session that signs out',
    async (server, alice) => {
      const { client, browser } = await server.signedIn(alice)
      return {
        headers: { cookie: browser.cookie, origin: server.url },
        end: () => client.accounts.logout({}),
      }
    },
  ],
]

interface Credential {
  headers: Record<string, string>
  end: () => Promise<unknown>
}

/** Whether all of a body came. */
const arrived = async (response: IncomingMessage) => {
  try {
    for await (const _ of response);
    return true
  } catch {
    return false
  }
}

describe.for(credentials)('what runs by %s', ([, of]) => {
  test('cuts a private download and continues a public one', async ({ server, alice }) => {
    const [ours, everybodys] = [
      await aFile(server, alice, { bytes }),
      await aFile(server, alice, { bytes, is_public: true }),
    ]
    const { headers, end } = await of(server, alice)
    const open = (id: string) => opened(server, `/api/files/${id}/download`, headers)
    const [hidden, shown] = [await open(ours.file_id), await open(everybodys.file_id)]

    await end()
    await expect.poll(() => server.inside.transfers.count).toBe(1)

    expect(await arrived(hidden), 'what they may not see').toBe(false)
    expect(await arrived(shown), 'what everybody may see').toBe(true)
  })

  test('an upload is refused, and nothing of it kept', async ({ server, alice }) => {
    const { headers, end } = await of(server, alice)
    const slow = slowUpload(server, headers)
    await expect.poll(() => server.inside.quota.held(alice.id)).toBeGreaterThan(0)

    await end()
    slow.finish()

    expect(await slow.status).toBe(401)
    expect(server.inside.files.countOf(alice.id)).toBe(0)
    await expect.poll(() => keptBytes(server)).toEqual(NOTHING_KEPT)
  })

  test('a resumable upload becomes no file; its owner can resume it', async ({ server, alice }) => {
    const { upload_id: id } = await anUpload(server, alice, first.length + 5)
    const { headers, end } = await of(server, alice)
    const client = await RawClient.connect(server.port)
    client.head(server.port, `PATCH /api/uploads/${id}`, {
      ...{
        ...headers,
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-length': `${first.length + 5}`,
      },
      'content-type': 'application/offset+octet-stream',
    })
    client.write(first)
    const { blobs, uploads } = server.inside
    await expect.poll(() => blobs.partial.isLost({ ...uploads.find(id)!, offset: 1 })).toBe(false)

    await end()
    client.write(' last')

    expect((await client.reply()).status).toBe(401)
    client.close()
    const { upload } = await server.as(alice).uploads.info({ id })
    expect(upload.file_id).toBeNull()
    expect(upload.offset).toBeGreaterThan(0)
  })
})
