import puppeteer, { type KeyInput } from 'puppeteer-core'
import type { Tab, TabOptions } from './tab'

const asRoot = process.getuid?.() === 0

interface Program {
  browser: 'chrome' | 'firefox'
  executablePath: string
}

/** Chromium through its DevTools, or Firefox through WebDriver BiDi. */
export async function openPuppeteerTab(
  program: Program,
  { downloads, isDark }: TabOptions,
): Promise<Tab> {
  const browser = await puppeteer.launch({
    ...program,
    headless: program.browser === 'chrome' ? 'shell' : true,
    args: program.browser === 'chrome' && asRoot ? ['--no-sandbox'] : [],
    defaultViewport: null,
    downloadBehavior: { policy: 'allow', downloadPath: downloads },
    env: { ...process.env, MOZ_CRASHREPORTER_DISABLE: '1' },
    extraPrefsFirefox: {
      'browser.download.folderList': 2,
      'browser.download.dir': downloads,
      'browser.download.always_ask_before_handling_new_types': false,
      'layout.css.prefers-color-scheme.content-override': isDark ? 0 : 1,
    },
  })
  const page = (await browser.pages())[0] ?? (await browser.newPage())
  const color = { name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light' }
  if (program.browser === 'chrome') await page.emulateMediaFeatures([color])
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  // Only Chromium logs answers of 400 and more.
  const isOurs = (text: string) => !text.startsWith('Failed to load resource')
  page.on(
    'console',
    (it) => it.type() === 'error' && isOurs(it.text()) && complaints.push(it.text()),
  )
  return {
    complaints,
    open: async (url) => void (await page.goto(url)),
    run: async <T>(expression: string) => (await page.evaluate(expression)) as T,
    click: (x, y) => page.mouse.click(x, y),
    async press(keys) {
      const [last = '', ...held] = keys.split('+').toReversed() as KeyInput[]
      for (const key of held) await page.keyboard.down(key)
      await page.keyboard.press(last as KeyInput)
      for (const key of held) await page.keyboard.up(key)
    },
    type: (text) => page.keyboard.type(text),
    async choose(selector, files) {
      const input = await page.waitForSelector(`input${selector}` as 'input')
      await input?.uploadFile(...files)
    },
    resize: (width, height) => page.setViewport({ width, height }),
    picture: () => page.screenshot(),
    close: () => browser.close(),
  }
}
