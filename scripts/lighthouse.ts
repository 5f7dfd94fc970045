import { chromium } from 'playwright'
import { freePort } from './dev/free-port'
import { audit, GOALS, MOST_SCRIPT } from './lighthouse/audit'
import {
  firstView,
  MOST_CALLS,
  MOST_FILES,
  MOST_FIRST_SCRIPT,
  MOST_HEADING,
  MOST_SHIFT,
} from './lighthouse/first-view'
import { signIn } from './lighthouse/sign-in'
import { seededHost } from './seed/seeded-host'
import { findChromium } from './test/tools/chromium'

/** Pages of a signed-in person. */
const OWN_PAGES = ['/dashboard', '/projects', '/my-files', '/api-keys', '/apk-builds', '/trash']
/** Tabs of a project that she owns. */
const TABS = ['', '/releases', '/updates', '/statistics', '/people', '/settings']

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
const host = await seededHost()
const browser = await chromium.launch({ executablePath: found.path, args })
const rows: Record<string, string | number>[] = []
const objections: string[] = []
try {
  const publicPages = [
    ...host.pages.slice(0, 1),
    ...['/', '/browse', '/public-files', '/login'].map((path) => host.url + path),
  ]
  for (const url of publicPages) {
    for (const device of ['phone', 'desk'] as const) {
      const verdict = await audit(url, { device, port })
      const page = `${new URL(url).pathname} (${device})`
      rows.push({ page, ...verdict.scores, 'script kB': Math.round(verdict.script / 100) / 10 })
      objections.push(...verdict.objections.map((objection) => `${page}: ${objection}`))
    }
  }
  const cookie = await signIn(host, 'alice')
  const project = new URL(host.pages[0] ?? '').pathname.replace('/p/', '/projects/')
  for (const path of [...OWN_PAGES, ...TABS.map((tab) => project + tab)]) {
    const { objections: faults } = await audit(host.url + path, {
      device: 'phone',
      port,
      cookie,
      only: ['accessibility'],
    })
    const view = await firstView(browser, host.url + path, { cookie })
    rows.push({ page: `${path} (signed in)`, ...figuresOf(view) })
    objections.push(...[...faults, ...view.objections].map((objection) => `${path}: ${objection}`))
  }
  // Empty pages have other heights than full ones.
  const newcomer = await signIn(host, 'newcomer')
  for (const path of OWN_PAGES) {
    const view = await firstView(browser, host.url + path, { cookie: newcomer })
    rows.push({ page: `${path} (new account)`, ...figuresOf(view) })
    objections.push(...view.objections.map((objection) => `${path} of a new account: ${objection}`))
  }
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
      `${MOST_FIRST_SCRIPT / 1000} kB for the first view of a signed-in page`,
    `there at most ${MOST_FILES} files of code, ${MOST_CALLS} call, and a heading within ` +
      `${MOST_HEADING} ms on a slow line`,
    `layout shift below ${MOST_SHIFT}`,
  ].join('; '),
)
for (const objection of objections) console.log(objection)
process.exitCode = objections.length > 0 ? 1 : 0
