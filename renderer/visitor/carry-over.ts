import { findSame } from './early'

/**
 * Remembers scroll position, focus, what was filled in, open details and a started download of a
 * page. The returned function restores them in the next page.
 */
export function carryOver(page: HTMLElement): (next: HTMLElement) => void {
  const { scrollX, scrollY } = window
  const focused = document.activeElement
  // Such as the page itself, after the link that skips the header.
  const id = focused?.id ?? ''
  const gallery = page.querySelector('.gallery ul')?.scrollLeft ?? 0

  return (next) => {
    for (const summary of page.querySelectorAll('summary')) {
      const fold = findSame(page, next, summary)?.closest('details')
      if (fold) fold.open = summary.closest('details')?.open ?? false
    }
    if (page.querySelector('[data-started]'))
      next.querySelector<HTMLElement>('.primary')?.setAttribute('data-started', '')
    for (const input of page.querySelectorAll('input')) {
      const same = findSame(page, next, input)
      if (same instanceof HTMLInputElement) fill(same, input)
    }

    const same = focused && findSame(page, next, focused)
    same?.focus({ preventScroll: true })
    if (same instanceof HTMLInputElement) select(same, focused as HTMLInputElement)
    if (id !== '')
      next.querySelector<HTMLElement>(`#${CSS.escape(id)}`)?.focus({ preventScroll: true })
    next.querySelector('.gallery ul')?.scrollTo(gallery, 0)
    window.scrollTo(scrollX, scrollY)
  }
}

/** Fills in what a person has changed in the same input. React learns of it by the event. */
function fill(input: HTMLInputElement, before: HTMLInputElement): void {
  if (before.type === 'file') return
  if (before.checked !== before.defaultChecked) input.checked = before.checked
  if (before.value === before.defaultValue || before.value === input.value) return
  const { prototype } = HTMLInputElement
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(input, before.value)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Selects the same part of the text. */
function select(input: HTMLInputElement, before: HTMLInputElement): void {
  const { selectionStart, selectionEnd, selectionDirection } = before
  if (selectionStart !== null)
    input.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? 'none')
}
