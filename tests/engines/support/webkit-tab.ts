import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDisplay } from '../../../scripts/test/tools/display'
import { until } from '../../support/world/process'
import type { Tab, TabOptions } from './tab'
import { freePort } from '../../../scripts/dev/free-port'

/**
 * Keys without a character, as WebDriver writes them:
 * https://www.w3.org/TR/webdriver1/#keyboard-actions.
 */
const KEYS: Record<string, string> = {
  Control: '\uE009',
  Enter: '\uE007',
  Escape: '\uE00C',
  Tab: '\uE004',
  Delete: '\uE017',
  End: '\uE010',
  ArrowLeft: '\uE012',
  ArrowRight: '\uE014',
}

/** The part of a reference to an element that the standard fixes. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

/** Notes errors from the first look at a page on, and hands them over with each value. */
const WATCH = `
if (!window.complaints) {
  const list = (window.complaints = [])
  addEventListener('error', ({ message }) => list.push(message))
  addEventListener('unhandledrejection', ({ reason }) => list.push(String(reason)))
  console.error = (...said) => list.push(said.join(' '))
}
`

/** WebKitGTK, in the small browser of its package, through WebDriver. */
export async function openWebKitTab(driver: string, options: TabOptions): Promise<Tab> {
  const display = await openDisplay()
  if ('missing' in display) throw new Error(display.missing)
  const port = await freePort()
  const env = { ...process.env, ...display.env, ...(await settle(options)) }
  const program = spawn(driver, ['-p', String(port)], { env, stdio: 'ignore' })
  const ended = once(program, 'exit')
  const url = `http://127.0.0.1:${port}`
  await until(() =>
    fetch(`${url}/status`)
      .then(({ ok }) => ok)
      .catch(() => false),
  )
  const { sessionId } = await ask<{ sessionId: string }>(`${url}/session`, { capabilities: {} })
  const session = `${url}/session/${sessionId}`
  return {
    ...tabOf(session),
    async close() {
      await fetch(session, { method: 'DELETE' })
      program.kill()
      await ended
      display.close()
    },
  }
}

function tabOf(session: string): Omit<Tab, 'close'> {
  const complaints: string[] = []
  const act = (type: 'key' | 'pointer', actions: object[]) =>
    ask(`${session}/actions`, { actions: [{ type, id: type, actions }] })
  const tap = (key: string) => [
    { type: 'keyDown', value: key },
    { type: 'keyUp', value: key },
  ]
  return {
    complaints,
    open: (url) => ask(`${session}/url`, { url }),
    async run<T>(expression: string) {
      const script = `${WATCH}const value = ${expression}\nreturn [value, window.complaints.splice(0)]`
      const [value, news] = await ask<[T, string[]]>(`${session}/execute/sync`, {
        script,
        args: [],
      })
      complaints.push(...news)
      return value
    },
    click: (x, y) =>
      act('pointer', [
        { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]),
    press(keys) {
      const [last = '', ...held] = keys
        .split('+')
        .map((key) => KEYS[key] ?? key)
        .toReversed()
      const hold = (type: string) => held.map((value) => ({ type, value }))
      return act('key', [...hold('keyDown'), ...tap(last), ...hold('keyUp')])
    },
    type: (text) => act('key', Array.from(text).flatMap(tap)),
    async choose(value, files) {
      const inputs = () =>
        ask<Record<string, string>[]>(`${session}/elements`, { using: 'css selector', value })
      await until(async () => (await inputs()).length > 0)
      const [input] = await inputs()
      await ask(`${session}/element/${input?.[ELEMENT]}/value`, { text: files.join('\n') })
    },
    async resize(width, height) {
      await ask(`${session}/window/rect`, { width, height })
    },
    picture: async () => Buffer.from(await ask<string>(`${session}/screenshot`), 'base64'),
  }
}

/** Sends a command, or asks for something. Throws with the words of the driver. */
async function ask<T = void>(url: string, command?: object): Promise<T> {
  const body = command && JSON.stringify(command)
  const response = await fetch(url, { method: body ? 'POST' : 'GET', ...(body ? { body } : {}) })
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } }
  if (!response.ok) throw new Error(`${url}: ${value.error} ${value.message}`)
  return value
}

/**
 * Its home: where downloads go, what the system prefers, and a toolbar that fits into a window of
 * 360 px.
 */
async function settle({ home, downloads, isDark }: TabOptions): Promise<Record<string, string>> {
  const config = join(home, 'config')
  for (const gtk of ['gtk-3.0', 'gtk-4.0']) {
    await mkdir(join(config, gtk), { recursive: true })
    await writeFile(join(config, gtk, 'gtk.css'), '* { min-width: 0; padding: 0; margin: 0; }\n')
  }
  await writeFile(join(config, 'user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${downloads}"\n`)
  const [data, cache] = [join(home, 'data'), join(home, 'cache')]
  const theme = isDark ? 'Adwaita:dark' : 'Adwaita'
  return {
    HOME: home,
    XDG_CONFIG_HOME: config,
    XDG_DATA_HOME: data,
    XDG_CACHE_HOME: cache,
    GTK_THEME: theme,
  }
}
