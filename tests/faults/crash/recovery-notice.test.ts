import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Host, until } from '../../support/world/process'
import { register } from '../../support/world/place'
import { tempDir } from '../../support/system/temp-dir'

const logOf = (dir: string) => readFile(join(dir, 'logs/slipway.log'), 'utf8')
const says = (dir: string, text: string) => until(async () => (await logOf(dir)).includes(text))
const NOTICE = 'Slipway did not shut down cleanly last time'

test('a headless host says what it recovered after kill -9, and nothing after an orderly end, also during a start', async () => {
  const dir = await tempDir()
  const first = await Host.start(dir)
  await register(first)
  await first.kill()
  await writeFile(join(dir, 'tmp/half.part'), 'half an upload')

  const second = await Host.start(dir)
  await says(dir, `${NOTICE}. All saved data is intact:`)
  await says(dir, '1 incomplete upload was removed.')
  await second.stop()
  await says(dir, 'host stopped')

  const before = (await logOf(dir)).split(NOTICE).length
  const third = await Host.start(dir)
  await third.stop()
  expect((await logOf(dir)).split(NOTICE).length).toBe(before)

  const owners = async () => (await readdir(dir)).filter((name) => /\.\d+\.lock$/.test(name)).join()
  const last = await owners()
  const starting = Host.spawn(dir)
  await until(async () => (await owners()) !== last)
  await starting.stop()
  await (await Host.start(dir)).stop()
  expect((await logOf(dir)).split(NOTICE).length).toBe(before)
})
