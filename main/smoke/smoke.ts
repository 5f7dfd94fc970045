import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { app, type BrowserWindow } from 'electron'
import type { FoundData, RunningServer } from '../../server'
import { MB } from '../../server/contract/limits'
import { routes } from '../../server/contract/routes'
import { closeInTime } from '../quit/quit'
import { startHost } from '../start/host'
import type { Options } from '../start/options'
import { PageControl } from './page-control'
import type { SmokeReport } from './smoke-report'

const SIZE = 50 * MB
const FROM_WINDOW = 'rocket.zip'
const BY_HTTP = 'lantern.zip'
const username = 'smoke'
const password = randomBytes(12).toString('hex')

export interface SmokeRun {
  server: RunningServer
  window: BrowserWindow
  origin: string
  secret: string
  options: Options
  data: FoundData
}

/** Hidden, on a free port of this computer, with a data folder for this run. */
export function smokeOptions({ logLevel }: Options): Options {
  const dataDir = mkdtempSync(join(tmpdir(), 'slipway-smoke-'))
  const choices = { host: '127.0.0.1', port: 0 }
  return { dataDir, profileDir: join(dataDir, 'window'), logLevel, choices, hidden: true }
}

/**
 * Does the main job of this program once, on this system, with its own window and calls: an
 * account, a build of 50 MB through the window and one by HTTP, a restart of the server, and both
 * builds byte for byte. Then exits with 0, or with 1 and the reason in the report.
 */
export async function runSmoke(report: SmokeReport, run: SmokeRun): Promise<never> {
  let { server } = run
  const { origin, options, data, secret } = run
  const page = new PageControl(run.window.webContents)

  try {
    await report.step('create the host account', () => createAccount(page))
    const published = await report.step('publish 50 MB in the window', () => publish(page))
    const key = await report.step('create an API key', () => createKey(page))
    const uploaded = await report.step('upload 50 MB by HTTP', () => upload(origin, key))

    server = await report.step('restart the server', async () => {
      await server.close()
      const port = Number(new URL(origin).port)
      const choices = { ...options.choices, port }
      return startHost({ ...options, choices }, data, secret)
    })

    await report.step('show both builds in the window', async () => {
      await run.window.loadURL(origin + routes.myFiles)
      await page.waitFor(FROM_WINDOW)
      await page.waitFor(BY_HTTP)
    })
    await report.step('compare both builds', () =>
      compare(origin, { [FROM_WINDOW]: published, [BY_HTTP]: uploaded }),
    )

    await report.step('close the server', async () => {
      if ((await closeInTime(server)) !== 0) throw new Error('the server did not close in order')
    })
    report.succeed()
    await rm(data.homeDir, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
    app.exit(0)
  } catch (error) {
    report.fail(error, await page.readText().catch(() => ''))
    app.exit(1)
  }
  return new Promise<never>(() => undefined)
}

async function createAccount(page: PageControl): Promise<void> {
  await page.fill('Username', username)
  await page.fill('Email', `${username}@example.com`)
  await page.fill('Password', password)
  await page.fill('Confirm password', password)
  await page.press('Create the host account')
  await page.waitFor(`Welcome, ${username}`)
}

/** Returns the digest of what the page sent. */
async function publish(page: PageControl): Promise<string> {
  const digest = await page.run(pasteBuild, FROM_WINDOW, SIZE)
  // A system's firewall would ask the person.
  await page.press('Share on this network')
  await page.press('Publish')
  await page.waitFor('is published')
  return digest
}

/** Pastes a build without a path, which the page uploads in place of publishing it where it is. */
async function pasteBuild(name: string, size: number): Promise<string> {
  const bytes = new Uint8Array(size)
  const most = 65_536
  for (let at = 0; at < size; at += most) crypto.getRandomValues(bytes.subarray(at, at + most))

  // The code that takes files loads after the page.
  while (!document.querySelector('[aria-label="Choose files"]'))
    await new Promise((resolve) => setTimeout(resolve, 100))
  const clipboardData = new DataTransfer()
  clipboardData.items.add(new File([bytes], name))
  document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))

  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function createKey(page: PageControl): Promise<string> {
  const { api_key: key } = await page.run(async () => {
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ name: 'Smoke' })
    const response = await fetch('/api/auth/api-keys', { method: 'POST', headers, body })
    return (await response.json()) as { api_key: string }
  })
  return key
}

async function upload(origin: string, key: string): Promise<string> {
  const body = randomBytes(SIZE)
  const headers = { 'X-API-Key': key }
  const address = `${origin}/api/files/upload/${BY_HTTP}?is_public=true`
  await requireOk(await fetch(address, { method: 'PUT', headers, body }))
  return createHash('sha256').update(body).digest('hex')
}

/** Downloads both builds as a visitor. */
async function compare(origin: string, digests: Record<string, string>): Promise<void> {
  const list = await requireOk(await fetch(`${origin}/api/files/public`))
  const { files } = (await list.json()) as { files: { file_id: string; filename: string }[] }

  for (const [name, digest] of Object.entries(digests)) {
    const id = files.find(({ filename }) => filename === name)?.file_id ?? ''
    const { body } = await requireOk(await fetch(`${origin}/api/files/${id}/download`))
    const hash = createHash('sha256')
    for await (const piece of body ?? []) hash.update(piece)
    if (hash.digest('hex') !== digest) throw new Error(`${name} arrived with other bytes`)
  }
}

async function requireOk(response: Response): Promise<Response> {
  if (response.ok) return response
  throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`)
}
