import { expect } from 'vitest'
import { KB, LARGEST_FILE } from '../../../server/contract'
import { aUser } from '../../support/world/factories'
import { filePart, multipartBody, multipartType } from '../../support/multipart'
import { RawClient } from '../../support/network/raw-client'
import { test as base } from '../../support/world/http'

const test = base.extend({ config: { rateLimits: true } })

const FORM = 'POST /api/files/upload'
const BYTES = 'PUT /api/files/upload/big.bin'
const around = multipartBody(filePart('', 'big.bin')).length
const form = (fileBytes: number) => ({ 'Content-Length': `${around + fileBytes}` })
const bytes = (count: number) => ({
  'Content-Type': 'application/octet-stream',
  'Content-Length': `${count}`,
})

/** The heads of uploads, and the answers; 100: the bytes may come. */
const heads: [what: string, line: string, headers: Record<string, string>, status: number][] = [
  ['no length', FORM, {}, 411],
  ['2 GB less one byte', FORM, form(LARGEST_FILE.usual - 1), 100],
  ['2 GB', FORM, form(LARGEST_FILE.usual), 100],
  ['more than a form around 2 GB can be', FORM, form(LARGEST_FILE.usual + 257 * KB), 413],
  ['9 EB', FORM, { 'Content-Length': '9223372036854775807' }, 413],
  ['a length below zero', FORM, { 'Content-Length': '-1' }, 400],
  ['JSON', FORM, { 'Content-Type': 'application/json', 'Content-Length': '10' }, 415],
  ['2 GB of bytes less one', BYTES, bytes(LARGEST_FILE.usual - 1), 100],
  ['2 GB of bytes', BYTES, bytes(LARGEST_FILE.usual), 100],
  ['2 GB of bytes and one', BYTES, bytes(LARGEST_FILE.usual + 1), 413],
]

test('an upload is refused by what its head announces: 2 GB at most', async ({ server }) => {
  const key = await server.keyOf(await aUser(server, 'big', { tier: 'Enterprise' }))
  for (const [what, line, headers, expected] of heads) {
    const client = await RawClient.connect(server.port)
    const good = { 'X-API-Key': key, 'Content-Type': multipartType, Expect: '100-continue' }
    const { status } = await client.head(server.port, line, { ...good, ...headers }).reply()
    client.close()
    expect.soft([what, status]).toEqual([what, expected])
  }
})
