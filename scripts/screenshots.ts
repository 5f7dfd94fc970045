import { execFileSync } from 'node:child_process'
import { basename, join } from 'node:path'
import { chromium, type Page } from 'playwright'
import { downloadUrl } from '../renderer/paths'
import type { HostAddress, Project } from '../server/contract'
import { WINDOW_HEADER } from '../server/contract/host/desktop'
import { PASSWORD } from './seed/people'
import { seededHost } from './seed/seeded-host'
import { findChromium } from './test/tools/chromium'

/**
 * `npm run screenshots`: the images of README.md and renderer/ui/README.md, with seeded data.
 * `-- --all` also writes every page at every size and in both themes to test-results/pages.
 */
const folder = join(import.meta.dirname, '../docs/screenshots')
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

async function picture(page: Page, path: string, name: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // The host page keeps a stream open, so it never reaches networkidle.
  if (path !== '/host') await page.waitForLoadState('networkidle')
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

  await page.goto('/host')
  await page.getByRole('button', { name: 'Share on this network' }).click()
  await page.getByText('Online').first().waitFor()
  await picture(page, '/host', 'host')
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
