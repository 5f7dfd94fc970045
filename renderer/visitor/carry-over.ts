/** Remembers scroll position, focus and open details of a page, and a download that has started. The returned function restores them in the next page. */
export function carryOver(page: HTMLElement): (next: HTMLElement) => void {
  const { scrollX, scrollY } = window
  const focused = document.activeElement
  const sameLinks = (within: HTMLElement) =>
    [...within.querySelectorAll('a')].filter(
      ({ href }) => focused instanceof HTMLAnchorElement && href === focused.href,
    )
  const place = sameLinks(page).findIndex((link) => link === focused)
  const folds = new Map([...page.querySelectorAll('details')].map((fold) => [labelOf(fold), fold.open]))
  const hasStarted = page.querySelector('[data-started]') !== null
  return (next) => {
    for (const fold of next.querySelectorAll('details')) fold.open = folds.get(labelOf(fold)) ?? fold.open
    if (hasStarted) next.querySelector<HTMLElement>('.primary')?.setAttribute('data-started', '')
    sameLinks(next)[place]?.focus({ preventScroll: true })
    window.scrollTo(scrollX, scrollY)
  }
}

const labelOf = (fold: Element) => fold.querySelector('summary')?.textContent.trim() ?? ''
