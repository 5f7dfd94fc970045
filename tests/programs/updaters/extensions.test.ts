import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { expect, onTestFinished } from 'vitest'
import { named, noRoot } from '../../support/system/rounds'
import { needTools, run } from '../../support/system/debian'
import { aRocket } from '../../support/world/factories'
import { test } from '../../support/world/http'
import { tempDir } from '../../support/system/temp-dir'
import { stopBrowser } from './stop-browser'

test.skipIf(noRoot)(
  named('Chromium installs and updates an extension by a policy that names the feed'),
  async ({ server }) => {
    await needTools('chromium')
    const dir = await tempDir()
    const rocket = await aRocket(server)
    const feed = `${server.url}/p/rocket/feeds/chromium/stable/updates.xml`
    const publish = async (version: string) => {
      const key = join(dir, 'key.pem')
      await mkdir(join(dir, version))
      const manifest = { manifest_version: 3, name: 'Rocket', version, update_url: feed }
      await writeFile(join(dir, version, 'manifest.json'), JSON.stringify(manifest))
      const args = existsSync(key) ? [`--pack-extension-key=${key}`] : []
      const usual = ['--headless=new', '--no-sandbox', `--user-data-dir=${join(dir, 'packer')}`]
      await run('chromium', [...usual, `--pack-extension=${join(dir, version)}`, ...args])
      if (args.length === 0) await run('mv', [join(dir, `${version}.pem`), key])
      const bytes = new Uint8Array(await readFile(join(dir, `${version}.crx`)))
      return rocket.publish('rocket.crx', { bytes })
    }
    const { facts } = await publish('1.0')
    const policy = JSON.stringify({ ExtensionInstallForcelist: [`${facts?.app_id};${feed}`] })
    await writeFile(join(dir, 'policy.json'), policy)
    const profile = join(dir, 'profile')
    // In a mount namespace: no other browser on this machine gets the policy.
    const script = `mount -t tmpfs none /etc/chromium; mkdir -p /etc/chromium/policies/managed
cp ${dir}/policy.json /etc/chromium/policies/managed/
exec chromium --headless=new --no-sandbox --disable-gpu --user-data-dir=${profile} --remote-debugging-port=0 about:blank`
    const [program, ...args] = ['unshare', '-m', 'sh', '-ec', script] as const
    const start = () => spawn(program, args, { stdio: 'ignore', detached: true })
    const has = (version: string) =>
      existsSync(join(profile, 'Default/Extensions', facts?.app_id ?? '', `${version}_0`))
    const browser = start()
    onTestFinished(() => stopBrowser(browser))
    await expect.poll(() => has('1.0'), { timeout: 30_000, interval: 200 }).toBe(true)
    await publish('1.1')
    // As "Update" on its page of extensions does: otherwise it looks every five hours.
    const [port] = (await readFile(join(profile, 'DevToolsActivePort'), 'utf8')).split('\n')
    const devTools = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
    const page = await devTools.contexts()[0]!.newPage()
    await page.goto('chrome://extensions')
    await page.evaluate('chrome.developerPrivate.autoUpdate()')
    await expect.poll(() => has('1.1'), { timeout: 30_000, interval: 200 }).toBe(true)
  },
  120_000,
)
