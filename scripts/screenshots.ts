import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { chromium, type Page } from 'playwright'
import { downloadUrl } from '../renderer/paths'
import type { HostAddress, Project } from '../server/contract'
import { WINDOW_HEADER } from '../server/contract/host/desktop'
import { PASSWORD } from './seed/people'
import { seededHost } from './seed/seeded-host'
import { findChromium } from './test/tools/chromium'

/**
 * `npm run screenshots`: the images of README.md, renderer/ui/README.md and the guide, with seeded
 * data.
 * `-- --all` also writes every page at every size and in both themes to test-results/pages.
 */
const folder = join(import.meta.dirname, '../docs/screenshots')
const guideFolder = join(import.meta.dirname, '../docs/guide/pictures')
const found = await findChromium()
if ('missing' in found) throw new Error(found.missing)

const SECRET = 'the app window'
const host = await seededHost({ publicUrl: 'https://builds.example', windowSecret: SECRET })
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
const browser = await chromium.launch({ executablePath: found.path, args })
const userAgent =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140 Mobile Safari/537.36'
const desk = {
  viewport: { width: 1280, height: 800 },
  reducedMotion: 'reduce',
  baseURL: host.url,
} as const
const project = new URL(host.pages[0] ?? host.url).pathname

/** Visits from different devices: a page full of zeros is not realistic. */
async function visits(views: number, downloads: number): Promise<void> {
  for (let visitor = 0; visitor < views; visitor++) {
    const headers = { 'user-agent': `Visitor ${visitor}` }
    const reply = await fetch(`${host.url}/api/projects/slug/${basename(project)}`, { headers })
    const { project: found } = (await reply.json()) as { project: Project }
    const file = found.downloads.at(visitor % found.downloads.length)
    if (visitor >= downloads || !file) continue
    const path = downloadUrl.project(found.project_id, file.file_id)
    await (await fetch(host.url + path, { headers })).arrayBuffer()
  }
}

/** How long a page must show nothing that loads, in ms: an answer may lead to the next question. */
const CALM_MS = 500

/**
 * Waits until a page has its heading, its data, its fonts, and the pictures that it shows. Not for
 * the network: the host page keeps a stream open, and a first view needs no call.
 */
async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.evaluate(() => delete document.documentElement.dataset['calmSince'])
  await page.waitForFunction((calm) => {
    const { dataset } = document.documentElement
    const isLoading =
      document.querySelector('[role=status][aria-label=Loading], .mantine-Skeleton-root') !== null
    // tsx names functions by a helper that the page lacks: these have no names.
    const lacksPictures = [...document.images].some(
      (image) => image.getBoundingClientRect().top < window.innerHeight && !image.complete,
    )
    const isBusy = isLoading || lacksPictures || document.fonts.status !== 'loaded'

    const now = performance.now()
    if (isBusy || dataset['calmSince'] === undefined) dataset['calmSince'] = String(now)
    return now - Number(dataset['calmSince']) > calm
  }, CALM_MS)
}

/** The size of the pictures of the guide in CSS pixels, as renderer/visitor/guide shows them. */
const inGuide = {
  ...desk,
  viewport: { width: 960, height: 600 },
  deviceScaleFactor: 1.5,
  colorScheme: 'light',
} as const
const WEBP_QUALITY = 0.6

/** Keeps what a page shows as a picture of the guide. Chromium itself writes WebP. */
async function guidePicture(page: Page, name: string): Promise<void> {
  const png = (await page.screenshot({ animations: 'disabled' })).toString('base64')
  const painter = await browser.newPage()
  const address = await painter.evaluate(
    async ({ source, quality }) => {
      const image = new Image()
      image.src = `data:image/png;base64,${source}`
      await image.decode()
      const canvas = new OffscreenCanvas(image.width, image.height)
      canvas.getContext('2d')?.drawImage(image, 0, 0)
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality })
      return btoa(
        Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) =>
          String.fromCharCode(byte),
        ).join(''),
      )
    },
    { source: png, quality: WEBP_QUALITY },
  )

  await writeFile(join(guideFolder, `${name}.webp`), Buffer.from(address, 'base64'))
  await painter.close()
}

/** What the pages of the guide show. */
async function guidePictures(): Promise<void> {
  const visitor = await browser.newPage({ ...inGuide, userAgent })
  await visitor.goto(project)
  await settle(visitor)
  await guidePicture(visitor, 'project')
  const updates = visitor.getByText('Get updates').first()
  await updates.click()
  await updates.evaluate((element) => element.scrollIntoView({ block: 'start' }))
  await visitor.mouse.wheel(0, -80)
  await settle(visitor)
  await guidePicture(visitor, 'updates')

  const owner = await browser.newPage(inGuide)
  await signIn(owner, 'alice')
  await owner.request.post(`/api/projects/${basename(project)}/testers`, {
    data: { name: 'Friends with a Pixel', channel: 'beta' },
    headers: { origin: host.url },
  })

  // What loads last of each page.
  for (const [name, path, text] of [
    ['my-files', '/my-files', /^\d+ files$/],
    ['api-keys', '/api-keys', 'Upload with a key'],
    ['testers', `/projects/${basename(project)}/people`, 'Friends with a Pixel'],
  ] as const) {
    await owner.goto(path)
    await owner.getByText(text).first().waitFor()
    await settle(owner)
    await guidePicture(owner, name)
  }
}

async function picture(page: Page, path: string, name: string): Promise<void> {
  await page.goto(path)
  await settle(page)
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}

/** Typical home addresses instead of this machine's. */
const addresses: HostAddress[] = [
  {
    url: 'http://192.168.1.20:4780',
    kind: 'wifi',
    offered: true,
    test: 'visited',
    last_visit: new Date().toISOString(),
  },
  { url: 'http://quay.local:4780', kind: 'name', offered: false, test: 'ok', last_visit: null },
  { url: 'http://127.0.0.1:4780', kind: 'loopback', offered: false, test: 'ok', last_visit: null },
]

async function hostPage(): Promise<void> {
  const page = await browser.newPage({
    ...desk,
    colorScheme: 'light',
    extraHTTPHeaders: { [WINDOW_HEADER]: SECRET },
  })

  await signIn(page, 'host')
  await page.route('**/api/host/addresses*', (route) =>
    route.fulfill({ json: { success: true, addresses } }),
  )
  // The page would bring the addresses of this machine with it.
  await page.route('**/host', async (route) => {
    const response = await route.fetch()
    const html = await response.text()
    const body = html.replace(/<script[^>]*id="replies">.*?<\/script>/s, '')
    await route.fulfill({ response, body })
  })

  await page.goto('/host')
  await page.getByRole('button', { name: 'Share on this network' }).click()
  await page.getByText('Online').first().waitFor()
  await picture(page, '/host', 'host')
  await page.setViewportSize(inGuide.viewport)
  await settle(page)
  await guidePicture(page, 'host')
}

const signIn = (page: Page, username: string) =>
  page.request.post('/api/auth/login', {
    data: { username, password: PASSWORD },
    headers: { origin: host.url },
  })

try {
  await visits(184, 57)
  const visitor = await browser.newPage({ ...desk, colorScheme: 'light', userAgent })
  await picture(visitor, project, 'public-project')
  const phone = { width: 360, height: 740 }
  const onPhone = await browser.newPage({
    ...desk,
    viewport: phone,
    colorScheme: 'dark',
    userAgent,
  })
  await picture(onPhone, project, 'public-project-phone')
  const owner = await browser.newPage({ ...desk, colorScheme: 'light' })
  await signIn(owner, 'alice')
  await picture(owner, '/my-files', 'my-files')
  await owner.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await picture(owner, '/dashboard', 'dashboard')
  await hostPage()
  await guidePictures()
} finally {
  await browser.close()
  await host.close()
}

if (process.argv.includes('--all')) {
  const env = {
    ...process.env,
    SLIPWAY_CHROMIUM: found.path,
    SLIPWAY_PICTURES: join(import.meta.dirname, '../test-results/pages'),
  }
  execFileSync('playwright', ['test', '--project=ui', 'ui/frame/pages'], { env, stdio: 'inherit' })
}
