import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright'
import { icns, icnsSizes, ico, type Picture } from './icons/containers'
import { findChromium } from './test/tools/chromium'

const assets = join(import.meta.dirname, '../assets')
const LINUX = [16, 24, 32, 48, 64, 128, 256, 512]
const WINDOWS = [16, 24, 32, 48, 64, 128, 256]
/** macOS icons have a margin: 824 of 1024 pixels (Apple's template). The drawing has 24 of 512. */
const MAC_SCALE = 824 / 1024 / (464 / 512)

const found = await findChromium()
if ('missing' in found) throw new Error(`Icons are drawn by Chromium: ${found.missing}`)
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
const browser = await chromium.launch({ executablePath: found.path, args })
try {
  const page = await browser.newPage()
  const svg = await readFile(join(assets, 'icon.svg'), 'utf8')
  const drawn = (sizes: readonly number[], scale = 1) =>
    inTurn(sizes, (size) => draw(page, svg, size, scale))
  await mkdir(join(assets, 'icons'), { recursive: true })
  for (const { size, png } of await drawn(LINUX))
    await writeFile(join(assets, `icons/${size}x${size}.png`), png)
  await writeFile(join(assets, 'icon.ico'), ico(await drawn(WINDOWS)))
  await writeFile(join(assets, 'icon.icns'), icns(await drawn(icnsSizes, MAC_SCALE)))
} finally {
  await browser.close()
}

async function draw(page: Page, svg: string, size: number, scale: number): Promise<Picture> {
  await page.setViewportSize({ width: size, height: size })
  const side = size * scale
  const margin = (size - side) / 2
  const place = `width:${side}px;height:${side}px;margin:${margin}px;display:block`
  await page.setContent(`<style>*{margin:0}svg{${place}}</style>${svg}`)
  return { size, png: await page.screenshot({ omitBackground: true }) }
}

async function inTurn<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await work(item))
  return results
}
