import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import { loaded, test } from '../../support/desktop/desktop-test'
import { answer, isAsked, launchAsking } from '../../support/desktop/app/dialogs'
import { launch, runToEnd } from '../../support/desktop/app/launch'
import { Host, slipway } from '../../support/world/process'

/** A port that another server holds until `release`. */
async function takenPort(): Promise<{ port: number; release: () => void }> {
  const holder = createServer()
  await once(holder.listen(0, '127.0.0.1'), 'listening')
  return { port: (holder.address() as AddressInfo).port, release: () => void holder.close() }
}

/**
 * How a start ends that cannot be: one sentence, and an exit code that says so. `reason` is a
 * pattern.
 */
const failure = (reason: string): unknown => ({
  code: 1,
  stderr: expect.stringMatching(new RegExp(`^Slipway cannot start: ${reason}$`)) as unknown,
})

test('a folder has one owner: the window or a headless host', async ({ dataDir }) => {
  const host = await Host.start(dataDir)
  const ending = await runToEnd(['--data', dataDir])
  await host.stop()
  expect(ending).toEqual(
    failure(`The data folder .+ is in use by another Slipway \\(process \\d+\\)`),
  )
})

test('a damaged library is named, and left as it is', async ({ dataDir }) => {
  await writeFile(join(dataDir, 'library.1.log'), 'not a library\n{"s":1}\n')
  const { code, stderr } = await runToEnd(['--data', dataDir])
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^Slipway cannot start: The library cannot be opened: .*library\.1\.log.*No file was changed/,
  )
  expect(stderr.split('\n')).toHaveLength(1)
  expect(await readdir(dataDir)).toContain('library.1.log')
})

test('refuses a requested port that is in use', async ({ dataDir }) => {
  const { port, release } = await takenPort()
  const ending = await runToEnd(['--data', dataDir, '--port', String(port)])
  release()
  expect(ending).toEqual(
    failure(
      `Port ${port} on 127\\.0\\.0\\.1 is in use by .+ \\(process ${process.pid}\\): choose another with --port`,
    ),
  )
})

test('without a person to ask, a taken port of the settings is replaced by the next free one, and the window says so', async ({
  dataDir,
}) => {
  const { port, release } = await takenPort()
  await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ port }))
  const app = await launch(dataDir)
  const page = await loaded(app)
  const used = Number(new URL(page.url()).port)
  const said = new RegExp(`Port ${port} is in use by .+, so the host listens on ${used} this time`)
  await expect(page.getByRole('status').filter({ hasText: said })).toBeVisible()
  await app.close()
  release()
  expect(used).toBeGreaterThan(port)
  expect(used).toBeLessThanOrEqual(port + 20)
})

test('asks when the port is in use; a retry takes it once it is free', async ({ dataDir }) => {
  const { port, release } = await takenPort()
  await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ port }))
  const app = await launchAsking(dataDir)
  const first = await answer(app, 'Try again')
  expect(first.message).toMatch(
    new RegExp(`^Port ${port} is in use by .+ \\(process ${process.pid}\\)$`),
  )
  expect(first.buttons).toEqual([expect.stringMatching(/^Use \d+ this time$/), 'Try again', 'Quit'])
  // A slow app may try again only now, and must find the port taken.
  await isAsked(app)
  release()
  await answer(app, 'Try again')
  expect(Number(new URL((await loaded(app)).url()).port)).toBe(port)
  await app.close()
})

for (const [response, late] of ['Use', 'Try again', 'Quit'].entries())
  test(`a quit while the app asks for the port ends it in order, also if the answer is then ${late}`, async ({
    dataDir,
  }) => {
    const { port, release } = await takenPort()
    await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ port }))
    const app = await launchAsking(dataDir)
    await isAsked(app)
    const said: string[] = []
    app.process().stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()))

    const ending = once(app.process(), 'exit')
    await app.evaluate(({ app }, chosen) => {
      const { questions } = globalThis as unknown as {
        questions: { answer: (reply: { response: number }) => void }[]
      }
      setImmediate(() => {
        app.quit()
        questions[0]!.answer({ response: chosen })
      })
    }, response)
    expect(await ending).toEqual([0, null])
    expect(said.join('')).not.toContain('cannot start')
    release()
  })

test('settings that are not valid are replaced only when the person agrees, and are kept', async ({
  dataDir,
}) => {
  const [path, text] = [
    join(dataDir, 'settings.json'),
    '{ "port": 0, "host": 7, "host_name": "Quay" }',
  ]
  await writeFile(path, text)
  expect(await runToEnd(['--data', dataDir])).toEqual(failure(`${path} is not valid: host: .+`))
  expect((await slipway('--data', dataDir)).output).toContain(`${path} is not valid: host: `)
  expect(await readFile(path, 'utf8')).toBe(text)

  const app = await launchAsking(dataDir)
  expect((await answer(app, 'Try again')).detail).toContain(`${path} is not valid: host: `)
  await answer(app, 'Continue with the valid settings')
  const said = 'These settings (host) returned to their defaults'
  await expect((await loaded(app)).getByRole('status').filter({ hasText: said })).toBeVisible()
  await app.close()
  const kept = (await readdir(dataDir)).filter((name) => name.startsWith('settings.invalid-'))
  expect(kept).toHaveLength(1)
  expect(await readFile(join(dataDir, kept[0]!), 'utf8')).toBe(text)
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({
    host_name: 'Quay',
    host: '127.0.0.1',
    port: 0,
  })
})
