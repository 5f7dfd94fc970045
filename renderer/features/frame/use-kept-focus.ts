import { useEffect, type RefObject } from 'react'

/**
 * Keeps the focus in the page when the focused element disappears, such as a deleted row. A browser would restart above
 * the header.
 */
export function useKeptFocus(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: EventTarget | null = null
    const remember = ({ target }: FocusEvent) => (last = target)
    const keep = new MutationObserver(() => {
      if (document.activeElement !== document.body || !(last instanceof Node) || last.isConnected) return
      last = null
      page.current?.focus({ preventScroll: true })
    })
    const watched = page.current
    if (!watched) return
    watched.addEventListener('focusin', remember)
    keep.observe(watched, { childList: true, subtree: true })
    return () => {
      watched.removeEventListener('focusin', remember)
      keep.disconnect()
    }
  }, [page])
}
