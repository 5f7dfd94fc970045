import { chromium } from 'playwright'
import { WINDOW_HEADER } from '../server/contract/host/desktop'
import { freePort } from './dev/free-port'
import { audit, GOALS, MOST_SCRIPT } from './lighthouse/audit'
import {
  firstView,
  type Headers,
  MOST_CALLS,
  MOST_FILES,
  MOST_FIRST_SCRIPT,
  MOST_HEADING,
  MOST_SHIFT,
  MOST_WITH_MARKDOWN,
} from './lighthouse/first-view'
import { signIn } from './lighthouse/sign-in'
import { seededHost } from './seed/seeded-host'
import { findChromium } from './test/tools/chromium'

/** Pages of a signed-in person. */
const OWN_PAGES = [
  '/dashboard',
  '/projects',
  '/my-files',
  '/api-keys',
  '/apk-builds',
  '/account',
  '/trash',
]
/** Tabs of a project that she owns. */
const TABS = ['', '/releases', '/updates', '/statistics', '/reports', '/people', '/settings']
/** Pages of the host account, in the app window. */
const HOST_PAGES = ['/host', '/host/people', '/host/audit', '/host/data', '/host/settings']
const SECRET = 'the app window'

const figuresOf = ({
  script,
  files,
  calls,
  heading,
  shift,
}: Awaited<ReturnType<typeof firstView>>) => ({
  'script kB': Math.round(script / 100) / 10,
  ...{ files, calls, 'heading ms': heading, shift },
})

const found = await findChromium()
if ('missing' in found) throw new Error(found.missing)

const port = await freePort()
const asRoot = process.getuid?.() === 0
const args = [`--remote-debugging-port=${port}`, ...(asRoot ? ['--no-sandbox'] : [])]
const host = await seededHost({ windowSecret: SECRET })
const browser = await chromium.launch({ executablePath: found.path, args })
const rows: Record<string, string | number>[] = []
const objections: string[] = []

/** Keeps the figures of a page, and prints them: the whole run takes ten minutes. */
function report(row: Record<string, string | number>, found: readonly string[]): void {
  rows.push(row)
  objections.push(...found.map((objection) => `${row.page}: ${objection}`))
  const { page, ...figures } = row
  console.log(`${page}: ${JSON.stringify(figures)}`)
}

try {
  const publicPages = [
    ...host.pages.slice(0, 1),
    ...['/', '/browse', '/public-files', '/login'].map((path) => host.url + path),
  ]
  for (const url of publicPages) {
    for (const device of ['phone', 'desk'] as const) {
      const verdict = await audit(url, { device, port })
      const page = `${new URL(url).pathname} (${device})`
      const script = Math.round(verdict.script / 100) / 10
      report({ page, ...verdict.scores, 'script kB': script }, verdict.objections)
    }
  }
  const measure = async (who: string, headers: Headers, paths: readonly string[]) => {
    for (const path of paths) {
      const url = host.url + path
      const audited = await audit(url, { device: 'phone', port, headers, only: ['accessibility'] })
      const view = await firstView(browser, url, headers)
      const page = `${path} (${who})`
      report({ page, ...figuresOf(view) }, [...audited.objections, ...view.objections])
    }
  }

  const project = new URL(host.pages[0] ?? '').pathname.replace('/p/', '/projects/')
  const pages = [...OWN_PAGES, ...TABS.map((tab) => project + tab)]
  await measure('signed in', { cookie: await signIn(host, 'alice') }, pages)
  // Empty pages have other heights than full ones.
  await measure('new account', { cookie: await signIn(host, 'newcomer') }, OWN_PAGES)
  const atWindow = { cookie: await signIn(host, 'host'), [WINDOW_HEADER]: SECRET }
  await measure('host account', atWindow, HOST_PAGES)
} finally {
  await browser.close()
  await host.close()
}

console.table(rows)
console.log(
  [
    `Goals: ${Object.entries(GOALS)
      .map(([category, goal]) => `${category} ${goal}`)
      .join(', ')}`,
    `at most ${MOST_SCRIPT / 1000} kB of script before a visitor's page works, and ` +
      `${MOST_FIRST_SCRIPT / 1000} kB for the first view of a signed-in page, ` +
      `${MOST_WITH_MARKDOWN / 1000} kB for that of the releases`,
    `there at most ${MOST_FILES} files of code, ${MOST_CALLS} call, and a heading within ` +
      `${MOST_HEADING} ms on a slow line`,
    `layout shift below ${MOST_SHIFT}`,
  ].join('; '),
)
for (const objection of objections) console.log(objection)
process.exitCode = objections.length > 0 ? 1 : 0
