import { execFile } from 'node:child_process'
import { generateKeyPairSync, verify } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { chromium, expect, type Page } from 'playwright/test'
import { spki } from '../../../scripts/package/keys'
import * as creator from '../../support/desktop/creator'
import { test } from '../../support/desktop/desktop-test'
import { repoRoot } from '../../support/desktop/app/launch'
import { filesInAsar, packageApp, startPackaged } from '../../support/desktop/app/packaged'
import { sha256 } from '../../support/system/sha256'

const apk = join(repoRoot, 'node_modules/android-apidemos/apks/ApiDemos-debug.apk')
const curl = async (...args: string[]) =>
  (await promisify(execFile)('curl', ['-sS', '--fail-with-body', ...args])).stdout

/** The page of a packaged app, whose fuses shut Playwright's usual way in. */
async function pageAt(devtools: string): Promise<Page> {
  const context = (await chromium.connectOverCDP(devtools)).contexts()[0]!
  return context.pages()[0] ?? context.waitForEvent('page')
}

/**
 * Draws the preview of a new project, for which the worker finds its WebAssembly and fonts in the
 * archive.
 */
const drawPreview = (page: Page) =>
  page.evaluate(async () => {
    const body = JSON.stringify({ title: 'Rocket', is_public: true })
    await fetch('/api/projects', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    const { redirected, headers } = await fetch('/p/rocket/preview.png')
    return { redirected, type: headers.get('content-type') }
  })

let folder: string
let executable: string
const updateKey = generateKeyPairSync('ed25519')
const signingKey = updateKey.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')

test.describe.configure({ mode: 'serial' })
test.skip(process.platform !== 'linux', 'packages for Linux')

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-package-'))
  await writeFile(join(folder, 'latest-linux.yml'), 'version: 9.0.0\n')
  executable = await packageApp(folder, signingKey)
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

/** A software bill of materials. */
interface Bill {
  components: { name: string; version: string }[]
}

test('what the app does not need is switched off in its binary', async () => {
  const wire = await getCurrentFuseWire(executable)
  const on = (fuse: FuseV1Options) => wire[fuse] === FuseState.ENABLE
  expect({
    runAsNode: on(FuseV1Options.RunAsNode),
    cookieEncryption: on(FuseV1Options.EnableCookieEncryption),
    nodeOptions: on(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
    inspectArguments: on(FuseV1Options.EnableNodeCliInspectArguments),
    asarIntegrity: on(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
    onlyFromAsar: on(FuseV1Options.OnlyLoadAppFromAsar),
    ownSnapshot: on(FuseV1Options.LoadBrowserProcessSpecificV8Snapshot),
    fileProtocol: on(FuseV1Options.GrantFileProtocolExtraPrivileges),
  }).toEqual({
    ...{ runAsNode: false, cookieEncryption: true, nodeOptions: false, inspectArguments: false },
    ...{ asarIntegrity: true, onlyFromAsar: true, ownSnapshot: false, fileProtocol: false },
  })
})

test('the app carries its bundles and nothing else', async () => {
  const files = await filesInAsar(join(dirname(executable), 'resources/app.asar'))
  expect(files).toEqual(
    expect.arrayContaining(['/dist/main/index.js', '/dist/preload/index.cjs', '/package.json']),
  )
  expect(
    files.filter(
      (name) => !/^\/(dist\/(main|preload|renderer|server)\/.+|package\.json)$/.test(name),
    ),
  ).toEqual([])
})

test('it carries the public key of its updates, and each feed beside it is signed', async () => {
  const asar = await readFile(join(dirname(executable), 'resources/app.asar'))
  expect(asar.includes(`"updateKey": "${spki(updateKey.publicKey)}"`)).toBe(true)
  expect(asar.includes(signingKey)).toBe(false)
  const feed = join(folder, 'latest-linux.yml')
  const signature = Buffer.from(await readFile(`${feed}.sig`, 'utf8'), 'base64')
  expect(
    verify(
      null,
      Buffer.concat([Buffer.from(`${basename(feed)}\n`), await readFile(feed)]),
      updateKey.publicKey,
      signature,
    ),
  ).toBe(true)
})

test('it starts with the bridge, does the main job and ends in order', async ({ dataDir }) => {
  const { devtools, end } = await startPackaged(executable, dataDir)
  try {
    const page = await pageAt(devtools)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    expect(
      await page.evaluate(() => typeof (window as unknown as { desktop?: object }).desktop),
    ).toBe('object')
    await creator.register(page)
    await creator.goTo(page, 'API Keys')
    const key = await creator.createApiKey(page, 'CI')
    const { origin } = new URL(page.url())
    const form = ['-H', `X-API-Key: ${key}`, '-F', `file=@${apk}`, '-F', 'is_public=true']
    const { file } = JSON.parse(await curl(...form, `${origin}/api/files/upload`)) as {
      file: { file_id: string }
    }
    const arrived = join(dataDir, 'arrived.apk')
    await curl('-o', arrived, `${origin}/api/files/public/alice/${file.file_id}/download`)
    expect(sha256(await readFile(arrived))).toBe(sha256(await readFile(apk)))
    expect(await drawPreview(page)).toEqual({ redirected: false, type: 'image/png' })
    const licences = await (await fetch(`${origin}/licences.txt`)).text()
    expect(licences).toContain('LICENSES.chromium.html')
    expect(licences).toMatch(/^- libheif \d/m)
    expect(licences).toMatch(/^GNU GENERAL PUBLIC LICENSE$/m)
    // The bill of materials names what the licences name, and direct ones are dependencies.
    const { components } = (await (await fetch(`${origin}/sbom.cdx.json`)).json()) as Bill
    const shipped = components.map(({ name, version }) => `${name} ${version}`)
    expect(licences.match(/^@?[a-z][\w./@-]* \d+\.\d+\.\d\S*/gm)?.sort()).toEqual(shipped.sort())
    const { dependencies } = JSON.parse(await readFile('package.json', 'utf8')) as {
      dependencies: object
    }
    const bundled = new Set(components.map(({ name }) => name))
    // react-router-dom only passes on react-router.
    expect(Object.keys(dependencies).filter((name) => !bundled.has(name))).toEqual([
      'react-router-dom',
    ])
  } finally {
    expect(await end()).toBe(0)
  }
  expect(await readFile(join(dataDir, 'logs/slipway.log'), 'utf8')).toContain('host started')
  await expect(
    readFile(join(folder, 'linux-unpacked/LICENSES.chromium.html'), 'utf8'),
  ).resolves.toContain('Chromium')
})

test('--smoke does the main job in the window and by HTTP, restarts, and reports it', async () => {
  const report = join(folder, 'smoke.json')
  const args = ['--no-sandbox', '--disable-gpu', '--smoke', report]
  await promisify(execFile)(executable, args)
  const { ok, steps } = JSON.parse(await readFile(report, 'utf8')) as {
    ok: boolean
    steps: { name: string }[]
  }
  expect(ok).toBe(true)
  expect(steps.map(({ name }) => name)).toContain('compare both builds')

  const nowhere = { ...process.env, TMPDIR: join(folder, 'nowhere') }
  const failure = promisify(execFile)(executable, args, { env: nowhere })
  await expect(failure).rejects.toMatchObject({ code: 1 })
  expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({ ok: false })
})
