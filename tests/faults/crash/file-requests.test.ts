import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backUp } from '../../../server/data/backup/backup'
import { restore } from '../../../server/data/backup/restore'
import { verify } from '../../../server/data/repair/verify'
import { metadata, TusClient } from '../../support/network/tus'
import { sha256 } from '../../support/system/sha256'
import { rounds } from '../../support/system/rounds'
import { tempDir } from '../../support/system/temp-dir'
import { clientAt, fetchAt, register, startHost } from '../../support/world/place'
import { until } from '../../support/world/process'

const ROUNDS = rounds(40, 4)
/** Bytes of an acknowledged request; half as many are on their way at a kill. */
const PIECE = 700_000

/** Sends a file as the form does. Returns the status. */
async function sendForm(page: string, filename: string): Promise<number> {
  const body = new FormData()
  body.set('from', 'Kim')
  body.set('file', new Blob([filename]), filename)
  return (await fetch(`${page}/files`, { method: 'POST', body, redirect: 'manual' })).status
}

test(
  `kill -9 amid the upload of a visitor, ${ROUNDS} times: what was acknowledged stays, also in a backup`,
  { timeout: 60_000 + ROUNDS * 10_000 },
  async () => {
    const base = await tempDir()
    const dir = join(base, 'data')
    let host = await startHost(dir)
    const place = await register(host)
    const request = { name: 'Save games', most_files: ROUNDS + 2 }
    const { file_request } = await clientAt(place).fileRequests.create(request)
    const path = new URL(file_request.url ?? '').pathname
    const visitor = new TusClient((to, init) => fetch(host.url + to.replace(/^\/api/, path), init))
    const about = { 'upload-metadata': metadata({ filename: 'big.sav', from: 'Kim' }) }
    const whole = randomBytes(PIECE * 2 * ROUNDS)
    const address = await visitor.begin(whole.length, about)
    const arrived: string[] = []
    let offset = 0

    for (let round = 0; round < ROUNDS; round++) {
      expect(await sendForm(host.url + path, `${round}.sav`)).toBe(302)
      arrived.push(`${round}.sav`)
      const piece = whole.subarray(offset, offset + PIECE)
      expect((await visitor.patch(address, offset, piece)).status).toBe(204)
      offset += PIECE

      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      const cut = visitor.patch(address, offset, readable).catch(() => undefined)
      const writer = writable.getWriter()
      await writer.write(whole.subarray(offset, offset + PIECE / 2))
      await host.kill()
      await writer.close().catch(() => undefined)
      await cut

      host = await startHost(dir)
      const kept = Number((await visitor.head(address)).headers.get('upload-offset'))
      expect(kept).toBeGreaterThanOrEqual(offset)
      offset = kept
    }

    const last = await visitor.patch(address, offset, whole.subarray(offset))
    expect(last.status).toBe(204)
    await expectAll(host.url)
    await until(async () => (await readdir(join(dir, 'tmp'))).length === 0)
    await backUp(dir, join(base, 'backups'), new Date())
    await host.stop()
    await restore(join(base, 'backups'), join(base, 'restored'))

    const restored = await startHost(join(base, 'restored'))
    await expectAll(restored.url)
    expect(await sendForm(restored.url + path, 'late.sav')).toBe(302)
    await restored.stop()
    expect((await verify(join(base, 'restored'), { readData: true })).problems).toEqual([])

    /** All that arrived is there once, byte for byte, and counted. */
    async function expectAll(url: string): Promise<void> {
      const at = { ...place, url }
      const { files } = await clientAt(at).files.mine({ received: 'true' })
      expect(files.map(({ filename }) => filename).sort()).toEqual([...arrived, 'big.sav'].sort())
      const big = files.find(({ filename }) => filename === 'big.sav')
      const bytes = await fetchAt(at)(`/api/files/${big?.file_id}/download`)
      expect(sha256(new Uint8Array(await bytes.arrayBuffer()))).toBe(sha256(whole))
      const { file_requests } = await clientAt(at).fileRequests.list({})
      expect(file_requests).toMatchObject([{ files: ROUNDS + 1, name: 'Save games' }])
    }
  },
)
