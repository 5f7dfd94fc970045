import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { named, noRoot } from '../../support/system/rounds'
import { test } from '../../support/world/http'
import { aZip } from '../../support/packages'
import { needTools } from '../../support/system/debian'
import { aRocket } from '../../support/world/factories'
import { tempDir } from '../../support/system/temp-dir'
import { stopBrowser } from './stop-browser'

const ID = 'rocket@example.org'

/**
 * An extension that asks the feed for updates. No signature: Firefox ESR can be told to take it.
 */
const anExtension = (version: string, update_url: string) => {
  const manifest = {
    manifest_version: 2,
    name: 'Rocket',
    version,
    browser_specific_settings: { gecko: { id: ID, update_url } },
  }
  return new Uint8Array(
    aZip([{ name: 'manifest.json', bytes: Buffer.from(JSON.stringify(manifest)) }]),
  )
}

const PREFERENCES = `
user_pref('xpinstall.signatures.required', false);
user_pref('extensions.checkUpdateSecurity', false);
user_pref('marionette.port', 0);
user_pref('datareporting.policy.dataSubmissionEnabled', false);
`

/**
 * Firefox's own protocol for tests: a length, a colon and JSON. Runs scripts in the browser itself.
 */
class Marionette {
  #id = 0
  #text = ''

  constructor(private readonly socket: Socket) {}

  static async connect(port: number): Promise<Marionette> {
    const socket = connect({ port, host: '127.0.0.1' })
    await once(socket, 'connect')
    const marionette = new Marionette(socket)
    await marionette.#read()
    await marionette.#send('WebDriver:NewSession', {})
    await marionette.#send('Marionette:SetContext', { value: 'chrome' })
    return marionette
  }

  /** Runs a script, whose last argument is called with its result. */
  run(script: string): Promise<unknown> {
    return this.#send('WebDriver:ExecuteAsyncScript', { script, args: [], scriptTimeout: 30_000 })
  }

  async #send(command: string, parameters: object): Promise<unknown> {
    const message = JSON.stringify([0, ++this.#id, command, parameters])
    this.socket.write(`${Buffer.byteLength(message)}:${message}`)
    const [, , error, result] = (await this.#read()) as [
      number,
      number,
      object | null,
      { value?: unknown },
    ]
    if (error) throw new Error(JSON.stringify(error))
    return result.value
  }

  async #read(): Promise<unknown> {
    for (;;) {
      const [, length = '', rest = ''] = /^(\d+):(.*)$/s.exec(this.#text) ?? []
      if (length !== '' && rest.length >= Number(length)) {
        this.#text = rest.slice(Number(length))
        return JSON.parse(rest.slice(0, Number(length)))
      }
      const [bytes] = (await once(this.socket, 'data')) as [Buffer]
      this.#text += bytes.toString('latin1')
    }
  }
}

test.skipIf(noRoot)(
  named('Firefox installs an extension by policy and updates it from the feed'),
  async ({ server }) => {
    await needTools('firefox-esr')
    const dir = await tempDir()
    const rocket = await aRocket(server)
    const feed = `${server.url}/p/rocket/feeds/firefox/stable/updates.json`
    const publish = (version: string) =>
      rocket.publish('rocket.xpi', { bytes: anExtension(version, feed) })
    await publish('1.0')
    const install_url = `${server.url}/p/rocket/releases/1.0/rocket.xpi`
    const policies = {
      ExtensionSettings: { [ID]: { installation_mode: 'force_installed', install_url } },
    }
    await writeFile(join(dir, 'policies.json'), JSON.stringify({ policies }))
    const profile = join(dir, 'profile')
    await mkdir(profile)
    await writeFile(join(profile, 'user.js'), PREFERENCES)
    // In a mount namespace: no other browser on this machine gets the policy.
    const script = `mount -t tmpfs none /usr/lib/firefox-esr/distribution
cp ${dir}/policies.json /usr/lib/firefox-esr/distribution/
exec firefox-esr --headless --no-remote --profile ${profile} --marionette --remote-allow-system-access about:blank`
    const [program, ...args] = ['unshare', '-m', 'sh', '-ec', script] as const
    const browser = spawn(program, args, {
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, HOME: dir },
    })
    onTestFinished(() => stopBrowser(browser))
    const marionette = await Marionette.connect(await portOf(profile))
    const version = () =>
      marionette.run(`const [done] = arguments
        const { AddonManager } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs')
        AddonManager.getAddonByID('${ID}').then((addon) => done(addon ? addon.version : null))`)
    await expect.poll(version, { timeout: 30_000, interval: 200 }).toBe('1.0')

    await publish('1.1')
    // As "Check for Updates" on its page of extensions does: otherwise it looks once a day.
    const update = await marionette.run(`const [done] = arguments
      const { AddonManager } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs')
      AddonManager.getAddonByID('${ID}').then((addon) => addon.findUpdates({
        onUpdateAvailable: (_addon, install) => install.install().then(() => done(install.version), (error) => done(String(error))),
        onNoUpdateAvailable: () => done('none'),
      }, AddonManager.UPDATE_WHEN_USER_REQUESTED))`)
    expect(update).toBe('1.1')
    await expect.poll(version, { timeout: 30_000, interval: 200 }).toBe('1.1')
  },
  120_000,
)

/** The port that Firefox has chosen, which it writes into its profile. */
async function portOf(profile: string): Promise<number> {
  const read = () => readFile(join(profile, 'MarionetteActivePort'), 'utf8').catch(() => '')
  await expect.poll(read, { timeout: 60_000, interval: 200 }).not.toBe('')
  return Number(await read())
}
