import { chromium } from 'playwright'
import { freePort } from './dev/free-port'
import { audit, GOALS } from './lighthouse/audit'
import { seededHost } from './seed/seeded-host'
import { findChromium } from './test/tools/chromium'

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
  for (const url of [...host.pages.slice(0, 1), `${host.url}/`]) {
    for (const device of ['phone', 'desk'] as const) {
      const verdict = await audit(url, device, port)
      const page = `${new URL(url).pathname} (${device})`
      rows.push({ page, ...verdict.scores, 'script kB': Math.round(verdict.script / 100) / 10 })
      objections.push(...verdict.objections.map((objection) => `${page}: ${objection}`))
    }
  }
} finally {
  await browser.close()
  await host.close()
}

console.table(rows)
console.log(
  `Goals: ${Object.entries(GOALS)
    .map(([category, goal]) => `${category} ${goal}`)
    .join(', ')}`,
)
for (const objection of objections) console.log(objection)
process.exitCode = objections.length > 0 ? 1 : 0
