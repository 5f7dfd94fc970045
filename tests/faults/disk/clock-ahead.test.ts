import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { TusClient } from '../../support/network/tus'
import { upload } from '../../support/world/upload'
import { Host, until } from '../../support/world/process'
import { clientAt, fetchAt, register, type Place } from '../../support/world/place'
import { tempDir } from '../../support/system/temp-dir'

const NINE_DAYS = 9 * 24 * 3600 * 1000

/** Loaded before a program, this sets its clock. */
const CLOCK = `const R = Date, by = Number(process.env.SHIFT_MS)
globalThis.Date = class extends R { constructor(...a) { a.length ? super(...a) : super(R.now() + by) } static now() { return R.now() + by } }`

async function aFolder(): Promise<{ dir: string; clock: string }> {
  const base = await tempDir()
  const clock = join(base, 'clock.mjs')
  await writeFile(clock, CLOCK)
  return { dir: join(base, 'data'), clock }
}

/** Runs the host until it has tidied, which a left-over of a crash shows. */
async function runAndTidy(dir: string, under: string[], look: (url: string) => Promise<void>): Promise<void> {
  await mkdir(join(dir, 'tmp'), { recursive: true })
  await writeFile(join(dir, 'tmp', `${'0'.repeat(32)}.part`), 'left over')
  const host = await Host.start(dir, { under })
  onTestFinished(() => host.kill())
  await until(async () => (await readdir(join(dir, 'tmp'))).length === 0)
  await look(host.url)
  await host.stop()
}

test('one start with a clock that is nine days ahead deletes nothing, then or when it is right again', async () => {
  const { dir, clock } = await aFolder()
  const first = await Host.start(dir)
  onTestFinished(() => first.kill())
  const place = await register(first)
  const { file_id: id } = await upload(fetchAt(place), new File(['the bytes'], 'a.txt'))
  await clientAt(place).files.remove({ id })
  const address = await new TusClient(fetchAt(place)).begin(5)
  await new TusClient(fetchAt(place)).patch(address, 0, 'by')
  await first.stop()
  const expectAll = async (at: Place) => {
    expect((await clientAt(at).trash.list({})).total).toBe(1)
    expect((await clientAt(at).uploads.list({})).uploads).toMatchObject([{ offset: 2 }])
  }

  const ahead = ['env', `SHIFT_MS=${NINE_DAYS}`, `NODE_OPTIONS=--import=${clock}`]
  await runAndTidy(dir, ahead, (url) => expectAll({ ...place, url }))

  await runAndTidy(dir, [], async (url) => {
    const now = { ...place, url }
    await expectAll(now)
    await clientAt(now).trash.restore({ id })
    expect((await new TusClient(fetchAt(now)).patch(address, 2, 'tes')).headers.get('slipway-file-id')).not.toBeNull()
  })
})
