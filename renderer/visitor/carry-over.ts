/**
 * Remembers scroll position, focus, typed text, open details and a started download of a page. The
 * returned function restores them in the next page.
 */
export function carryOver(page: HTMLElement): (next: HTMLElement) => void {
  const { scrollX, scrollY } = window
  const focused = document.activeElement

  const sameLinks = (within: HTMLElement) =>
    [...within.querySelectorAll('a')].filter(
      ({ href }) => focused instanceof HTMLAnchorElement && href === focused.href,
    )

  const place = sameLinks(page).findIndex((link) => link === focused)
  // Such as the page itself, after the link that skips the header.
  const id = focused?.id ?? ''
  const draft =
    focused instanceof HTMLInputElement ? { name: focused.name, text: focused.value } : undefined
  const folds = new Map(
    [...page.querySelectorAll('details')].map((fold) => [labelOf(fold), fold.open]),
  )
  const hasStarted = page.querySelector('[data-started]') !== null

  return (next) => {
    for (const fold of next.querySelectorAll('details'))
      fold.open = folds.get(labelOf(fold)) ?? fold.open
    if (hasStarted) next.querySelector<HTMLElement>('.primary')?.setAttribute('data-started', '')
    sameLinks(next)[place]?.focus({ preventScroll: true })
    if (id !== '')
      next.querySelector<HTMLElement>(`#${CSS.escape(id)}`)?.focus({ preventScroll: true })
    if (draft) restoreInput(next, draft)
    window.scrollTo(scrollX, scrollY)
  }
}

const labelOf = (fold: Element) => fold.querySelector('summary')?.textContent.trim() ?? ''

/** Types a text again where the same field is in the next page. React learns of it by the event. */
function restoreInput(page: HTMLElement, { name, text }: { name: string; text: string }): void {
  const input = page.querySelector<HTMLInputElement>(`input[name="${name}"]`)
  if (!input) return
  input.focus({ preventScroll: true })
  if (input.value === text) return
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}
