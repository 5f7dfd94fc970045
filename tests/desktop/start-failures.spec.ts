import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import { loaded, test } from './support/desktop-test'
import { launch, runToEnd } from './support/launch'
import { serve, serveToEnd } from './support/node-host'

/** A port that somebody else holds until `release`. */
async function takenPort(): Promise<{ port: number; release: () => void }> {
  const holder = createServer()
  await once(holder.listen(0, '127.0.0.1'), 'listening')
  return { port: (holder.address() as AddressInfo).port, release: () => void holder.close() }
}

/** How a start ends that cannot be: one sentence, and an exit code that says so. `reason` is a pattern. */
const failure = (reason: string): unknown => ({
  code: 1,
  stderr: expect.stringMatching(new RegExp(`^Slipway cannot start: ${reason}$`)) as unknown,
})

test('a folder that the window owns is refused to a headless host', async ({ app, page, dataDir }) => {
  const { code, stderr } = await serveToEnd(dataDir)
  expect(code).toBe(1)
  expect(stderr).toBe(
    `Slipway cannot start: The data folder ${dataDir} is in use by another Slipway (process ${app.process().pid!})\n`,
  )
  expect(page.isClosed()).toBe(false)
})

test('a folder that a headless host owns is refused to the window', async ({ dataDir }) => {
  const host = await serve(dataDir)
  const ending = await runToEnd(['--data', dataDir])
  await host.stop()
  expect(ending).toEqual(failure(`The data folder .+ is in use by another Slipway \\(process \\d+\\)`))
})

test('a damaged library is named, and left as it is', async ({ dataDir }) => {
  await writeFile(join(dataDir, 'library.1.log'), 'not a library\n{"s":1}\n')
  const { code, stderr } = await runToEnd(['--data', dataDir])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^Slipway cannot start: The library cannot be opened: .*library\.1\.log.*No file was changed/)
  expect(stderr.split('\n')).toHaveLength(1)
  expect(await readdir(dataDir)).toContain('library.1.log')
})

test('a folder that cannot be one is refused', async ({ dataDir }) => {
  const file = join(dataDir, 'settings.json')
  expect(await runToEnd(['--data', file])).toEqual(failure(`The data folder ${file} cannot be written: .+`))
})

test('a switch that makes no sense is refused', async ({ dataDir }) => {
  const refused = failure('--port takes a number from 0 to 65535, not 99999')
  expect(await runToEnd(['--data', dataDir, '--port', '99999'])).toEqual(refused)
})

test('a port that was asked for and is taken is refused', async ({ dataDir }) => {
  const { port, release } = await takenPort()
  const ending = await runToEnd(['--data', dataDir, '--port', String(port)])
  release()
  expect(ending).toEqual(failure(`Port ${port} on 127\\.0\\.0\\.1 is in use by another program.*`))
})

test('when the port of the settings is taken, the next free one is used', async ({ dataDir }) => {
  const { port, release } = await takenPort()
  await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ port }))
  const app = await launch(dataDir)
  const used = Number(new URL((await loaded(app)).url()).port)
  await app.close()
  release()
  expect(used).toBeGreaterThan(port)
  expect(used).toBeLessThanOrEqual(port + 20)
})
