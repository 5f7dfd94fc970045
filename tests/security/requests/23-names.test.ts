import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect } from 'vitest'
import { rounds } from '../../support/system/rounds'
import { aUser } from '../../support/world/factories'
import { filePart, multipartBody, multipartType } from '../../support/multipart'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

const NAMES = rounds(10_000, 300)

const nasty = fc.constantFrom(
  ...[
    '/',
    '\\',
    '..',
    '../',
    '.',
    ' ',
    '\0',
    '\t',
    '\r',
    '\n',
    '\r\n',
    '\r\nX-Evil: 1\r\n\r\n',
    '"',
    '%22',
    '%0d%0a',
    ';',
  ],
  ...[
    '\u202e',
    '\u200b',
    '\ufeff',
    '\u2066',
    '\u200f',
    '\u0085',
    '\u007f',
    '\u2028',
    'CON',
    'NUL.txt',
    '~',
    '$HOME',
    '`id`',
    '-rf',
    'C:',
    '\\\\host\\',
  ],
  ...[
    'é',
    'e\u0301',
    '日本',
    '🚀',
    "''",
    "UTF-8''",
    '=?utf-8?B?eA==?=',
    '.apk',
    '.html',
    '<script>',
    '\ud800',
    '\ufffd',
  ],
)
const name = fc
  .array(fc.oneof({ weight: 3, arbitrary: nasty }, fc.string({ unit: 'binary', maxLength: 12 })), {
    maxLength: 30,
  })
  .map((parts) => parts.join(''))

/**
 * RFC 6266 with RFC 8187: a quoted name of printable ASCII, and where that does not do, the name in
 * UTF-8.
 */
const HEADER =
  /^attachment; filename="[\x20\x21\x23\x24\x26-\x5b\x5d-\x7e]*"(?:; filename\*=UTF-8''[\w!#$&+.^`|~%-]+)?$/
const NOT_IN_A_NAME =
  // oxlint-disable-next-line no-control-regex -- that there are none is the point
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff/\\:*?"<>|]/

/** The name that a browser would save the file under. */
function savedAs(header: string): string {
  const extended = /filename\*=UTF-8''(.+)$/.exec(header)?.[1]
  if (extended !== undefined) return decodeURIComponent(extended)
  return /filename="?([^"]*)"?/.exec(header)?.[1] ?? ''
}

type Fetch = ReturnType<TestServer['fetchAs']>

/** The ways in which a name reaches us: raw in a form, escaped in an address, in base64 by tus. */
const ways = {
  form: (fetch: Fetch, filename: string) =>
    fetch('/api/files/upload', {
      ...{ method: 'POST', headers: { 'content-type': multipartType } },
      body: multipartBody(filePart('x', filename)),
    }),
  address: (fetch: Fetch, filename: string) =>
    fetch(`/api/files/upload/${encodeURIComponent(filename.toWellFormed())}`, {
      method: 'PUT',
      body: 'x',
    }),
  metadata: async (fetch: Fetch, filename: string) => {
    const metadata = `filename ${Buffer.from(filename).toString('base64')}`
    const tus = { 'tus-resumable': '1.0.0', 'upload-length': '1', 'upload-metadata': metadata }
    const begun = await fetch('/api/uploads', { method: 'POST', headers: tus })
    const location = begun.headers.get('location')
    if (location === null) return begun
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    }
    const reply = await fetch(location, { method: 'PATCH', headers, body: 'x' })
    return fetch(`/api/files/${reply.headers.get('slipway-file-id')}`)
  },
}

/** Uploads a file of this name. Returns its record; undefined if it was refused. */
async function uploadNamed(way: keyof typeof ways, fetch: Fetch, filename: string) {
  const response = await ways[way](fetch, filename)
  const body = (await response.json()) as { file?: { file_id: string; filename: string } }
  expect([200, 201, 400, 404]).toContain(response.status)
  return body.file
}

test(
  `${NAMES} names of any kind: none reaches a path or a header unchanged`,
  { timeout: 60_000 + NAMES * 100 },
  async ({ server, folder }) => {
    const outside = await readdir(folder)
    const fetch = server.fetchAs(await aUser(server, 'alice', { tier: 'Enterprise' }))
    let taken = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<keyof typeof ways>('form', 'address', 'metadata'),
        name,
        async (way, filename) => {
          const file = await uploadNamed(way, fetch, filename)
          if (!file) return
          taken++
          const { headers } = await fetch(`/api/files/${file.file_id}/download`, { method: 'HEAD' })
          const header = headers.get('content-disposition') ?? ''
          expect(header).toMatch(HEADER)
          expect(savedAs(header)).toBe(file.filename)
          expect(file.filename).not.toMatch(NOT_IN_A_NAME)
          expect(Buffer.byteLength(file.filename)).toBeLessThanOrEqual(255)
          expect(headers.get('x-evil')).toBeNull()
        },
      ),
      { numRuns: NAMES },
    )

    expect(taken).toBeGreaterThan(NAMES / 3)
    expect(await readdir(folder)).toEqual(outside)
    const paths = await readdir(join(server.dataDir, 'blobs'), { recursive: true })
    const random = /^([0-9a-f]{2}([\\/][0-9a-f]{32})?|catalogue\.json(\.tmp)?)$/
    expect(paths.filter((path) => !random.test(path))).toEqual([])
    console.log(`23: ${NAMES} names, ${taken} of them files`)
  },
)
