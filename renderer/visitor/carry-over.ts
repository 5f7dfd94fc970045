/** Remembers scroll position, focus and open details of a page. The returned function restores them in the next page. */
export function carryOver(page: HTMLElement): (next: HTMLElement) => void {
  const { scrollX, scrollY } = window
  const focused = document.activeElement
  const sameLinks = (within: HTMLElement) =>
    [...within.querySelectorAll('a')].filter(
      ({ href }) => focused instanceof HTMLAnchorElement && href === focused.href,
    )
  const place = sameLinks(page).findIndex((link) => link === focused)
  const opened = [...page.querySelectorAll('details[open] > summary')].map(labelOf)
  return (next) => {
    for (const summary of next.querySelectorAll('summary')) if (opened.includes(labelOf(summary))) summary.click()
    sameLinks(next)[place]?.focus({ preventScroll: true })
    window.scrollTo(scrollX, scrollY)
  }
}

const labelOf = ({ textContent }: Element) => textContent.trim()
