import { useEffect, useRef } from 'react'

/** Scrolls to the top when a list shows another page. */
export function useScrollToTop(page: number): void {
  const last = useRef(page)
  useEffect(() => {
    if (last.current === page) return
    last.current = page
    window.scrollTo(0, 0)
  }, [page])
}
