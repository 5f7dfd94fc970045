import { createHash, randomBytes, randomInt } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { open, readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { GB, MB } from '../../../server/contract'
import { offsetOf, TusClient } from '../../support/network/tus'
import { Host, slipway, until } from '../../support/world/process'
import { clientAt, fetchAt, type Place, register, startHost } from '../../support/world/place'
import { named, noRoot, rounds } from '../../support/system/rounds'
import { run } from '../../support/system/debian'
import { aSmallDisk } from '../support/volume'
import { tempDir } from '../../support/system/temp-dir'
import { sha256 } from '../../support/system/sha256'

const ROUNDS = rounds(60, 3)
/** Bytes of the largest file that is really sent; larger ones are only announced. */
const LARGEST = rounds(2 * GB, 64 * MB)
const client = (place: Place) => new TusClient(fetchAt(place))

async function expectWhole(place: Place, address: string, digest: string): Promise<void> {
  const { upload } = await clientAt(place).uploads.info({ id: address.split('/').at(-1)! })
  expect((await clientAt(place).files.info({ id: upload.file_id! })).file.sha256).toBe(digest)
}

test(
  `15: ${ROUNDS} times kill -9 in the middle of an upload: it resumes, and the file is the same`,
  { timeout: 60_000 + ROUNDS * 10_000 },
  async () => {
    const dir = join(await tempDir(), 'data')
    const bytes = randomBytes(48 * MB)
    let host = await Host.start(dir)
    let place = await register(host)
    let finished = 0
    let address = await client(place).begin(bytes.length)
    let kept = 0
    for (let round = 0; round < ROUNDS; round++) {
      const patching = client(place)
        .patch(address, kept, bytes.subarray(kept, kept + randomInt(1, 24 * MB)))
        .catch(() => undefined)
      await pause(randomInt(5, 120))
      await host.kill()
      const acknowledged = (await patching)?.ok === true
      host = await Host.start(dir)
      place = { ...place, url: host.url }
      const offset = await offsetOf(client(place), address)
      expect(offset).toBeGreaterThanOrEqual(acknowledged ? kept + 1 : kept)
      kept = offset
      if (kept < bytes.length) continue
      await expectWhole(place, address, sha256(bytes))
      finished++
      ;[kept, address] = [0, await client(place).begin(bytes.length)]
    }
    await client(place).patch(address, kept, bytes.subarray(kept))
    await expectWhole(place, address, sha256(bytes))
    expect((await clientAt(place).files.mine({})).total).toBe(finished + 1)
    await until(async () => (await readdir(join(dir, 'uploads'))).length === 0)
    await host.stop()
    expect((await slipway('verify', '--read-data', '--data', dir)).output).toContain(
      'No problems found.',
    )
  },
)

test.skipIf(noRoot)(
  named('15: a disk that fills half-way: 507, and the upload resumes when it has room again'),
  async () => {
    const disk = await aSmallDisk(220)
    const host = await startHost(join(disk, 'data'))
    const place = await register(host)
    const bytes = randomBytes(40 * MB)
    const address = await client(place).begin(bytes.length)
    expect((await client(place).patch(address, 0, bytes.subarray(0, 8 * MB))).status).toBe(204)
    const filler = join(disk, 'filler')
    await run('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k']).catch(() => undefined)
    await truncate(filler, (await stat(filler)).size - 12 * MB)

    const refused = await client(place).patch(address, 8 * MB, bytes.subarray(8 * MB))
    expect([503, 507]).toContain(refused.status)
    await rm(filler)

    const offset = await until200(place, address)
    expect(offset).toBeGreaterThanOrEqual(8 * MB)
    expect((await client(place).patch(address, offset, bytes.subarray(offset))).status).toBe(204)
    await expectWhole(place, address, sha256(bytes))
    await host.stop()
  },
)

/** The offset of the upload, once the host can write again. */
async function until200(place: Place, address: string): Promise<number> {
  let [offset, isWritable] = [0, false]
  await until(async () => {
    const reply = (await (await fetch(`${place.url}/api/host`)).json()) as {
      host: { read_only: boolean }
    }
    isWritable = !reply.host.read_only
    if (isWritable) offset = await offsetOf(client(place), address)
    return isWritable
  })
  return offset
}

/** A file without a single byte on the disk, and its digest. */
async function aSparseFile(size: number): Promise<{ path: string; digest: string }> {
  const path = join(await tempDir(), 'sparse.bin')
  const file = await open(path, 'w')
  await file.truncate(size)
  await file.close()
  const hash = createHash('sha256')
  const zeros = Buffer.alloc(16 * MB)
  for (let left = size; left > 0; left -= zeros.length)
    hash.update(zeros.subarray(0, Math.min(left, zeros.length)))
  return { path, digest: hash.digest('hex') }
}

test(
  `14: accepts up to 2 GB (sent up to ${LARGEST} bytes), refuses 2 GB + 1: as raw bytes, as a form, and in several requests`,
  { timeout: 600_000 },
  async () => {
    const dir = join(await tempDir(), 'data')
    const host = await startHost(dir)
    const place = await register(host)
    const curl = async (...args: string[]) => {
      const { stdout } = await run('curl', [
        '-sS',
        '-H',
        `X-API-Key: ${place.key}`,
        '-w',
        '\n%{http_code}',
        ...args,
      ])
      const [body = '', status = ''] = stdout.split('\n')
      return {
        status: Number(status),
        file: (JSON.parse(body || '{}') as { file?: { sha256: string } }).file,
      }
    }
    for (const size of new Set([LARGEST, 2 * GB - 1, 2 * GB, 2 * GB + 1])) {
      const isTaken = size <= 2 * GB
      const begun = await client(place).create(size)
      expect(begun.status).toBe(isTaken ? 201 : 413)
      const address = begun.headers.get('location') ?? ''
      if (isTaken && size > LARGEST) {
        expect((await client(place).discard(address)).status).toBe(204)
        continue
      }
      const { path, digest } = await aSparseFile(size)
      const { status, file } = await curl('-T', path, `${place.url}/api/files/upload/sparse.bin`)
      expect([status, file?.sha256]).toEqual(isTaken ? [201, digest] : [413, undefined])
      if (isTaken) {
        const form = ['-F', `file=@${path}`, '-H', 'Transfer-Encoding: chunked']
        expect(await curl(...form, `${place.url}/api/files/upload`)).toMatchObject({
          status: 201,
          file: { sha256: digest },
        })
        const half = Math.floor(LARGEST / 2)
        await patchFrom(place, address, path, 0, half)
        await patchFrom(place, address, path, half, size)
        await expectWhole(place, address, digest)
      }
      for (const { file_id } of (await clientAt(place).files.mine({})).files) {
        await clientAt(place).files.remove({ id: file_id })
        await clientAt(place).trash.remove({ id: file_id })
      }
    }
    expect((await clientAt(place).storage.stats({})).stats.used).toBe(0)
    await host.stop()
  },
)

/** One large PATCH, from a file. */
async function patchFrom(
  place: Place,
  address: string,
  path: string,
  from: number,
  to: number,
): Promise<void> {
  const reply = await client(place).patch(address, from, (await openAsBlob(path)).slice(from, to))
  expect([reply.status, reply.headers.get('upload-offset')]).toEqual([204, String(to)])
}
