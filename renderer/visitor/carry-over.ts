/**
 * Remembers scroll position, focus, typed text, open details and a started download of a page. The
 * returned function restores them in the next page.
 */
export function carryOver(page: HTMLElement): (next: HTMLElement) => void {
  const { scrollX, scrollY } = window
  const focused = document.activeElement

  // The same address or text can be there several times, such as in the list and on top.
  const sameControls = (within: HTMLElement) =>
    [...within.querySelectorAll<HTMLElement>('a, button, summary')].filter(
      (control) => focused instanceof HTMLElement && labelOf(control) === labelOf(focused),
    )

  const place = sameControls(page).findIndex((control) => control === focused)
  // Such as the page itself, after the link that skips the header.
  const id = focused?.id ?? ''
  const draft =
    focused instanceof HTMLInputElement ? { name: focused.name, text: focused.value } : undefined
  const folds = new Map(
    [...page.querySelectorAll('details')].map((fold) => [summaryOf(fold), fold.open]),
  )
  const hasStarted = page.querySelector('[data-started]') !== null

  return (next) => {
    for (const fold of next.querySelectorAll('details'))
      fold.open = folds.get(summaryOf(fold)) ?? fold.open
    if (hasStarted) next.querySelector<HTMLElement>('.primary')?.setAttribute('data-started', '')
    sameControls(next)[place]?.focus({ preventScroll: true })
    if (id !== '')
      next.querySelector<HTMLElement>(`#${CSS.escape(id)}`)?.focus({ preventScroll: true })
    if (draft) restoreInput(next, draft)
    window.scrollTo(scrollX, scrollY)
  }
}

const summaryOf = (fold: Element) => fold.querySelector('summary')?.textContent.trim() ?? ''

function labelOf(control: HTMLElement): string {
  if (control instanceof HTMLAnchorElement) return control.href
  return control.getAttribute('aria-label') ?? control.textContent.trim()
}

/** Types a text again where the same field is in the next page. React learns of it by the event. */
function restoreInput(page: HTMLElement, { name, text }: { name: string; text: string }): void {
  const input = page.querySelector<HTMLInputElement>(`input[name="${name}"]`)
  if (!input) return
  input.focus({ preventScroll: true })
  if (input.value === text) return
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}
