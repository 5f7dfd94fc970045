import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request, type ClientRequest } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { LARGEST_FILE, MB } from '../../../server/contract'
import { aHost, clientAt, type StandingHost } from '../../support/world/place'
import { rounds } from '../../support/system/rounds'
import { filePart, multipartBody, multipartType } from '../../support/multipart'

/**
 * Bytes of the largest file that is really sent: the limit itself in the full run; 14-limits
 * announces it in every.
 */
const LIMIT = rounds(LARGEST_FILE.usual, 32 * MB)
const isFull = LIMIT === LARGEST_FILE.usual
const zeros = Buffer.alloc(MB)

function* pieces(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= zeros.length)
    yield zeros.subarray(0, Math.min(left, zeros.length))
}

function sha256OfZeros(bytes: number): string {
  const hash = createHash('sha256')
  for (const piece of pieces(bytes)) hash.update(piece)
  return hash.digest('hex')
}

interface Reply {
  code?: string
  file?: { file_id: string; size: number; sha256: string }
}

/** Sends a form around so many zeros, without a length in its head. */
function upload(
  { host, place }: StandingHost,
  bytes: number,
): Promise<{ status: number; body: Reply }> {
  const form = multipartBody(filePart('', 'zeros.bin'))
  const cut = form.lastIndexOf('\r\n--')
  const [before, after] = [form.subarray(0, cut), form.subarray(cut)]
  const headers = { 'x-api-key': place.key, 'content-type': multipartType }
  return new Promise((resolve, reject) => {
    const sending = request(
      `${host.url}/api/files/upload`,
      { method: 'POST', headers, agent: false },
      (response) => {
        json(response).then(
          (body) => resolve({ status: response.statusCode ?? 0, body: body as Reply }),
          reject,
        )
      },
    )
    // A client refused half-way finds the connection closed.
    sending.on('error', () => undefined)
    void writeAll(sending, before, bytes, after)
  })
}

async function writeAll(
  sending: ClientRequest,
  before: Buffer,
  bytes: number,
  after: Buffer,
): Promise<void> {
  const closed = once(sending, 'close')
  sending.write(before)
  for (const piece of pieces(bytes)) {
    if (sending.destroyed) return
    if (!sending.write(piece))
      await Promise.race([once(sending, 'drain'), closed]).catch(() => undefined)
  }
  sending.end(after)
}

test(`${LIMIT - 1} and ${LIMIT} bytes arrive whole`, { timeout: 600_000 }, async () => {
  const standing = await aHost()
  for (const bytes of [LIMIT - 1, LIMIT]) {
    const { status, body } = await upload(standing, bytes)

    expect([status, body.file?.size, body.file?.sha256]).toEqual([201, bytes, sha256OfZeros(bytes)])
    const id = body.file?.file_id ?? ''
    await clientAt(standing.place).files.remove({ id })
    await clientAt(standing.place).trash.remove({ id })
  }
  if (!isFull) return
  const { status, body } = await upload(standing, LARGEST_FILE.usual + 1)
  expect([status, body.code]).toEqual([413, 'too_large'])
  console.log('14: 2 GB - 1 and 2 GB arrive whole, 2 GB + 1 is refused')
})
