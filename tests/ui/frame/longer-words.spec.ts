import type { Page } from 'playwright/test'
import { fillRoute, routes } from '../../../server/contract/routes'
import { clientOf, VISITOR } from '../../support/world/page'
import type { TestServer } from '../../support/world/test-server'
import { expect, OPEN_PROJECT, pagesOf, test } from '../support/full-world'

test.use({ person: VISITOR, viewport: { width: 360, height: 740 } })

/** Makes every word of the interface 40 % longer, as other languages are, and gives it accents. */
function lengthen(): void {
  const accents: Record<string, string> = { a: 'ä', e: 'ë', i: 'ï', o: 'ö', u: 'ü' }
  const longer = (word: string) =>
    word.replaceAll(/[aeiou]/g, (letter) => accents[letter] ?? letter) +
    'ö'.repeat(Math.ceil(word.length * 0.4))
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)

  while (texts.nextNode()) {
    const { currentNode: text } = texts
    if (!text.parentElement?.closest('script, style, code, pre, bdi, textarea'))
      text.nodeValue = (text.nodeValue ?? '').replaceAll(/[a-z]{2,}/gi, longer)
  }
}

/** Texts that are cut without an ellipsis, and controls that lie on each other. */
function findFaults(): string[] {
  const isCut = (element: Element) => {
    const { overflowX, textOverflow } = getComputedStyle(element)
    const hasOwnText = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim(),
    )
    const isHidden = element.clientWidth <= 1 || overflowX === 'visible' || overflowX === 'auto'
    return (
      hasOwnText &&
      !isHidden &&
      textOverflow !== 'ellipsis' &&
      element.scrollWidth > element.clientWidth + 1
    )
  }
  const cut = [...document.body.querySelectorAll('*')].filter(isCut)

  const controls = [...document.querySelectorAll('header a, header button, main a, main button')]
  const visible = controls.filter((element) => element.checkVisibility())
  const boxes = visible.map((element) => ({ element, box: element.getBoundingClientRect() }))
  const overlap = (a: DOMRect, b: DOMRect) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2
  const covered = boxes.filter(({ element, box }) =>
    boxes.some(
      (other) =>
        !other.element.contains(element) &&
        !element.contains(other.element) &&
        element.closest('header') === other.element.closest('header') &&
        getComputedStyle(element).position === getComputedStyle(other.element).position &&
        overlap(box, other.box),
    ),
  )

  return [
    ...cut.map(({ textContent }) => `cut: ${textContent}`),
    ...covered.map(({ element }) => `covered: ${element.textContent}`),
    ...(document.documentElement.scrollWidth > 360 ? ['wider than the screen'] : []),
  ]
}

/** What stands where it should not, by the names of the pages. */
async function faultsOf(page: Page, pages: Record<string, string>) {
  const faults: Record<string, string[]> = {}
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    await page.evaluate(lengthen)
    const found = await page.evaluate(findFaults)
    if (found.length > 0) faults[name] = found
  }
  return faults
}

/** The private pages of people without an account, and the forms that lead to them. */
async function formsOf(page: Page, host: TestServer): Promise<Record<string, string>> {
  const client = await clientOf(host, 'bob')
  const { url } = await client.testers.create({ id: OPEN_PROJECT, name: 'Berlin' })
  const [report, asked] = await Promise.all(
    ['reports', 'requests'].map(async (what) => {
      const form = { text: 'It crashes.', name: 'Kim', note: 'Let me in.' }
      const reply = await page.request.post(`/p/${OPEN_PROJECT}/${what}`, {
        form,
        headers: { accept: 'text/html' },
      })
      return reply.url()
    }),
  )
  return {
    'report form': fillRoute(routes.report, { slug: OPEN_PROJECT }),
    'request form': fillRoute(routes.access, { slug: OPEN_PROJECT }),
    'own report': report ?? '',
    'own request': asked ?? '',
    'tester page with notices': `${new URL(url).pathname}#notices`,
  }
}

test('public pages have room for words that are 40 % longer', async ({
  page,
  host,
  complaints,
}) => {
  const faults = await faultsOf(page, { ...pagesOf[VISITOR], ...(await formsOf(page, host)) })
  complaints.length = 0

  expect(faults).toEqual({})
})

test.describe('to the owner of a project', () => {
  test.use({ person: 'bob' })

  test('reports and requests have room for longer words', async ({ page, host }) => {
    await formsOf(page, host)
    const pages = {
      reports: fillRoute(routes.projectReports, { id: OPEN_PROJECT }),
      team: fillRoute(routes.projectPeople, { id: OPEN_PROJECT }),
    }
    expect(await faultsOf(page, pages)).toEqual({})
  })
})

for (const person of Object.keys(pagesOf).filter((name) => name !== VISITOR))
  test.describe(`to ${person}`, () => {
    test.use({ person })

    test('own pages have room for longer words', async ({ page }) => {
      expect(await faultsOf(page, pagesOf[person] ?? {})).toEqual({})
    })
  })
