import type { Page } from 'playwright/test'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { aFile, expect, test as base } from '../../support/world/page'

/** The script of an attacker: it leaves traces wherever it can. */
const SCRIPT = `
  try { document.cookie = 'pwned=1' } catch {}
  try { (self.top ?? self).pwned = true; self.pwned = true } catch {}
  try { fetch('/api/auth/check?pwned'); new Image().src = '/favicon.svg?pwned' } catch {}
  try { alert('pwned') } catch {}
`
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert('pwned')"><script>${SCRIPT}</script></svg>`
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\('pwned'\\))>>>>endobj
2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj
trailer<</Root 1 0 R>>
%%EOF`

const uploads = {
  'page.html': `<!doctype html><script>${SCRIPT}</script><img src=x onerror="alert('pwned')">`,
  'page.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><script>${SCRIPT}</script></html>`,
  'image.svg': SVG,
  'feed.xml': `<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">${SCRIPT}</x:script>`,
  'script.js': SCRIPT,
  'module.mjs': `${SCRIPT}\nexport default 1`,
  'paper.pdf': PDF,
  'page.mht': `From: x\r\nContent-Type: text/html\r\n\r\n<script>${SCRIPT}</script>`,
  noextension: `<script>${SCRIPT}</script>`,
}

/** Another program on this machine: its pages share our cookies' site, as nothing else does. */
const test = base.extend<{ neighbour: string }>({
  sharesContext: false,
  neighbour: async ({}, use) => {
    const server = createServer(({ url }, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(
        url === '/attack' ? uploads['page.html'] : '<!doctype html><title>neighbour</title><body>',
      )
    }).listen(0, '127.0.0.1')
    await new Promise((listening) => server.once('listening', listening))
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    server.close()
  },
})

/** Traces that the scripts of the uploads have left anywhere. */
function watchTraces(page: Page): () => Promise<unknown> {
  const traces: string[] = []
  page.on('dialog', (dialog) => {
    traces.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page
    .context()
    .on('request', (request) => request.url().includes('pwned') && traces.push(request.url()))
  return async () => {
    const cookies = (await page.context().cookies())
      .map(({ name }) => name)
      .filter((name) => name === 'pwned')
    const marks = await page.evaluate(() => ('pwned' in window ? ['window.pwned'] : []))
    return [...traces, ...cookies, ...marks]
  }
}

/** Embeds an address in every way that a page can; returns the result of each. */
function embedEverywhere(page: Page, address: string): Promise<string[]> {
  return page.evaluate(async (url) => {
    const element = (name: string, fields: object) =>
      new Promise<string>((done) => {
        const node = Object.assign(document.createElement(name), fields)
        node.onload = () => done(`${name} loaded`)
        node.onerror = () => done(`${name} refused`)
        setTimeout(() => done(`${name} silent`), 1000)
        document.body.append(node)
      })
    const attempt = (name: string, work: () => Promise<unknown>) =>
      work().then(
        () => `${name} loaded`,
        () => `${name} refused`,
      )
    const worker = () =>
      new Promise((loaded, refused) => {
        const it = new Worker(url)
        it.onerror = refused
        it.onmessage = loaded
        setTimeout(refused, 1000)
      })
    return Promise.all([
      element('script', { src: url }),
      element('script', { src: url, type: 'module' }),
      element('link', { rel: 'stylesheet', href: url }),
      element('img', { src: url }),
      element('iframe', { src: url }),
      element('object', { data: url }),
      element('embed', { src: url }),
      attempt('import', () => import(/* @vite-ignore */ url)),
      attempt('worker', worker),
      attempt('service worker', () => navigator.serviceWorker.register(url)),
    ])
  }, address)
}

/**
 * Elements that would have run or shown the upload; a frame reports "loaded" also when it shows
 * nothing.
 */
const ran = (outcomes: string[]) =>
  outcomes.filter((it) => /^(script|link|img|import|worker|service worker) loaded$/.test(it))

test('no upload runs, opened or embedded, by anyone', async ({
  page,
  context,
  host,
  alice,
  neighbour,
  complaints,
}) => {
  const theirs = await context.newPage()
  await theirs.goto(neighbour)
  const tabs = [page, theirs].map((tab) => ({ tab, traces: watchTraces(tab) }))
  await page.goto('/dashboard')
  // A page that has not started yet loads again when a script fails.
  await page.locator('[data-starting]').waitFor({ state: 'detached' })
  for (const [filename, bytes] of Object.entries(uploads)) {
    await test.step(filename, async () => {
      const { file_id } = await aFile(alice, filename, { isPublic: true, bytes })
      const address = `${host.url}/api/files/${file_id}/download`
      const download = page.waitForEvent('download')
      await page
        .goto(address)
        .catch((error: unknown) =>
          expect(String(error)).toMatch(/Download is starting|ERR_ABORTED/),
        )
      expect((await download).suggestedFilename()).toBe(filename)
      expect(page.url(), 'the page that stays').toBe(`${host.url}/dashboard`)
      // Each waits a while for what may never come.
      const outcomes = await Promise.all(tabs.map(({ tab }) => embedEverywhere(tab, address)))
      expect(outcomes.map(ran)).toEqual([[], []])
      for (const { traces } of tabs) expect(await traces()).toEqual([])
    })
  }
  // The browser's own words about everything that it has refused.
  complaints.length = 0
})

test('an upload that runs on another host leaves traces that the test finds', async ({
  page,
  neighbour,
  complaints,
}) => {
  const traces = watchTraces(page)

  await page.goto(`${neighbour}attack`)

  await expect
    .poll(traces)
    .toEqual(
      expect.arrayContaining([
        'dialog: pwned',
        `${neighbour}favicon.svg?pwned`,
        'pwned',
        'window.pwned',
      ]),
    )
  complaints.length = 0
})
