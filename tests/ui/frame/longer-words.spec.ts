import { VISITOR } from '../../support/world/page'
import { expect, pagesOf, test } from '../support/full-world'

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

test('public pages have room for words that are 40 % longer', async ({ page, complaints }) => {
  const faults: Record<string, string[]> = {}
  for (const [name, path] of Object.entries(pagesOf[VISITOR] ?? {})) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await page.evaluate(lengthen)
    const found = await page.evaluate(findFaults)
    if (found.length > 0) faults[name] = found
  }
  complaints.length = 0

  expect(faults).toEqual({})
})
