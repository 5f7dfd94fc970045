import { useEffect, useEffectEvent } from 'react'

/**
 * Opens the last page of a list if the current one no longer exists. `pages`: how many there are;
 * 0: unknown or none.
 */
export function useLastPage(page: number, pages: number, onPage: (page: number) => void): boolean {
  const openLast = useEffectEvent(() => onPage(pages))
  const isPast = pages > 0 && page > pages
  useEffect(() => {
    if (isPast) openLast()
  }, [isPast, pages])
  return isPast
}
