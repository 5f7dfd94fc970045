import { basename, join } from 'node:path'
import { chromium, type Page } from 'playwright'
import { downloadUrl } from '../renderer/paths'
import type { Project } from '../server/contract'
import { PASSWORD } from './seed/people'
import { seededHost } from './seed/seeded-host'
import { findChromium } from './test/tools/chromium'

/** `npm run screenshots`: the pictures of README.md and renderer/ui/README.md, in the seeded world. */
const folder = join(import.meta.dirname, '../docs/screenshots')
const found = await findChromium()
if ('missing' in found) throw new Error(found.missing)

const host = await seededHost({ publicUrl: 'https://builds.example' })
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
const browser = await chromium.launch({ executablePath: found.path, args })
const userAgent = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140 Mobile Safari/537.36'
const desk = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', baseURL: host.url } as const
const project = new URL(host.pages[0] ?? host.url).pathname

/** Visitors, each on a device of their own: a page with nothing but zeros is not what people see. */
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
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}

try {
  await visits(184, 57)
  const visitor = await browser.newPage({ ...desk, colorScheme: 'light', userAgent })
  await picture(visitor, project, 'public-project')
  const phone = { width: 360, height: 740 }
  const onPhone = await browser.newPage({ ...desk, viewport: phone, colorScheme: 'dark', userAgent })
  await picture(onPhone, project, 'public-project-phone')
  const owner = await browser.newPage({ ...desk, colorScheme: 'light' })
  const data = { username: 'alice', password: PASSWORD }
  await owner.request.post('/api/auth/login', { data, headers: { origin: host.url } })
  await picture(owner, '/my-files', 'my-files')
  await owner.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await picture(owner, '/dashboard', 'dashboard')
} finally {
  await browser.close()
  await host.close()
}
