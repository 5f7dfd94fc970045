import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Page } from 'playwright/test'

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/**
 * Reports violations only, and reads no style sheets and media, which serve rules about orientation
 * and sound.
 */
const quick = { resultTypes: ['violations'], preload: false } as const
const all = { ...quick, runOnly: { type: 'tag', values: tags } } as const
/** What a theme can change. */
const colours = {
  ...quick,
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} as const

/** Calls of the docs page after the first of their group: the same component again. */
const REPEATED = "section[data-order='3'] ~ section[data-order='3']"

export const phone = { width: 360, height: 740 }
export const desk = { width: 1280, height: 800 }

/** What axe objects to on a desk in light and on a phone in the dark. */
export async function objectionsAtEverySize(page: Page): Promise<string[]> {
  await page.evaluate(
    (repeated) => document.querySelectorAll(repeated).forEach((call) => call.remove()),
    REPEATED,
  )
  await page.setViewportSize(desk)
  const onDesk = await run(page, 'light', all)
  await page.setViewportSize(phone)
  const onPhone = await run(page, 'dark', all)
  return [...onDesk, ...onPhone.map((objection) => `phone, ${objection}`)]
}

/**
 * The problems that axe finds in the page now: WCAG 2.2 AA and good practice. One line for each
 * element.
 */
export async function objections(page: Page): Promise<string[]> {
  return [...(await run(page, 'light', all)), ...(await run(page, 'dark', colours))]
}

async function run(page: Page, colorScheme: 'light' | 'dark', rules: typeof all | typeof colours) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  // The page of the server follows the system by its styles alone.
  const other = colorScheme === 'dark' ? 'light' : 'dark'
  await page.locator(`html[data-mantine-color-scheme=${other}]`).waitFor({ state: 'detached' })
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState !== 'running'),
  )
  // What stays at the edge of the screen covers something wherever the page is scrolled.
  await page.evaluate(() => scrollTo(0, 0))
  // Not as a script of the page: the Content-Security-Policy allows only ours.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const { violations } = await page.evaluate(
    (options) => (window as unknown as { axe: typeof axe }).axe.run(document, options),
    rules as unknown as axe.RunOptions,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) =>
        `${colorScheme}: ${id} at ${target.join(' ')}. ${failureSummary}`,
    ),
  )
}
