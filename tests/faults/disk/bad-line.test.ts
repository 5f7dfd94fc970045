import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { badLine } from '../support/bad-line'
import { aKey, curlOn, publicFile } from '../support/curl'
import { Host } from '../../support/world/process'
import { rounds } from '../../support/system/rounds'

test('over a line that loses 3 %, takes 200 ms and 1 Mbit/s, a download and a zip arrive whole', async () => {
  const line = await badLine()
  const dir = await mkdtemp(join(tmpdir(), 'slipway-line-'))
  try {
    const server = await Host.start(join(dir, 'data'), { under: line.enter, also: ['--host', line.address] })
    const [bytes, saved] = [randomBytes(rounds(300_000, 100_000)), join(dir, 'saved')]
    await writeFile(join(dir, 'a.bin'), bytes)
    const curl = curlOn(line.enter)
    const key = await aKey(curl, server.url, dir)
    const id = await publicFile(curl, server.url, key, join(dir, 'a.bin'))
    await line.curl(server.url, `/api/files/${id}/download`, '-o', saved)
    const whole = await readFile(saved)
    await line.curl(server.url, `/api/files/zip/download?ids=${id}`, '-o', saved)
    const zip = await readFile(saved)
    await server.stop()

    expect(whole.equals(bytes)).toBe(true)
    expect(zip.indexOf(bytes)).toBeGreaterThan(0)
  } finally {
    line.close()
    await rm(dir, { recursive: true, force: true })
  }
})
