import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../scripts/dev/free-port'
import { openDisplay } from '../../scripts/test/tools/display'
import { findElectron } from '../../scripts/test/tools/electron'
import { needTools, run } from '../support/system/debian'
import { sha256 } from '../support/system/sha256'
import { tempDir } from '../support/system/temp-dir'
import { until } from '../support/world/process'
import { packageAppImage } from './support/app-image'
import { aPublisher } from './support/publisher'

const OLD = '1.0.9'
const NEW = '999.0.0'

/** What a person does with the keyboard in the window of this title. */
const press = (title: string, ...keys: string[]) =>
  run('timeout', [
    ...[
      '60',
      'xdotool',
      'search',
      '--sync',
      '--onlyvisible',
      '--name',
      title,
      'windowfocus',
      '--sync',
    ],
    ...['sleep', '0.5', 'key', '--delay', '300', ...keys],
  ])

test('the app installs its next version from a Slipway host that the release workflow has pushed to', async () => {
  await needTools('mksquashfs', 'xdotool', 'curl')
  const electron = await findElectron()
  const display = await openDisplay()
  if ('missing' in electron) throw new Error(electron.missing)
  if ('missing' in display) throw new Error(display.missing)
  onTestFinished(display.close)
  Object.assign(process.env, display.env, { SLIPWAY_ELECTRON: electron.path })

  const dir = await tempDir()
  const { privateKey } = generateKeyPairSync('ed25519')
  const signingKey = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  const [old, ...oldFeed] = await packageAppImage(join(dir, 'old'), OLD, signingKey)
  const [next, ...nextFeed] = await packageAppImage(join(dir, 'new'), NEW, signingKey)
  const publisher = await aPublisher()
  const feed = `${publisher.url}/api/projects/slipway/latest`

  await publisher.push(`v${OLD}`, old, ...oldFeed)
  const installed = join(dir, 'Slipway.AppImage')
  await run('curl', ['-sSfo', installed, `${feed}/${basename(old)}`])
  await chmod(installed, 0o755)
  await publisher.push(`v${NEW}`, next, ...nextFeed)

  const data = join(dir, 'data')
  const port = await freePort()
  await mkdir(data)
  await writeFile(join(data, 'settings.json'), JSON.stringify({ port, update_feed: feed }))
  const start = () => {
    const env = { ...process.env, XDG_CACHE_HOME: join(dir, 'cache'), XDG_CONFIG_HOME: dir }
    const args = ['--no-sandbox', '--disable-gpu', '--data', data]
    const app = spawn(installed, args, { stdio: 'ignore', env, detached: true })
    const ended = once(app, 'exit')
    onTestFinished(() => {
      if (app.exitCode === null) process.kill(-app.pid!, 'SIGKILL')
    })
    return ended
  }
  const version = async () => {
    const reply = await fetch(`http://127.0.0.1:${port}/api/host`)
    return ((await reply.json()) as { host: { version: string } }).host.version
  }
  const runs = (wanted: string) =>
    until(async () => (await version().catch(() => undefined)) === wanted, 60)

  const ended = start()
  await runs(OLD)
  await press('Slipway', 'alt+h', 'u')
  // Download, then quit and install.
  await press('^Updates$', 'Return')
  const log = () => readFile(join(data, 'logs/slipway.log'), 'utf8')
  await until(async () => (await log()).includes(`${NEW} has been downloaded`), 60)
  await press('^Updates$', 'Return')
  expect(await ended).toEqual([0, null])
  expect(sha256(await readFile(installed))).toBe(sha256(await readFile(next)))

  void start()
  await runs(NEW)
})
