import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'

/**
 * For content that loads after navigation, too late for the browser's own scroll. A field gets the
 * focus, too.
 */
export function useScrollToHash(): void {
  const { hash } = useLocation()

  useEffect(() => {
    const target = document.getElementById(hash.slice(1))
    const isField = target?.matches('input, select, textarea') === true
    if (isField) target.focus({ preventScroll: true })
    // Newer browsers return a promise, which React would call as the end of the effect.
    target?.scrollIntoView(isField ? { block: 'center' } : undefined)
  }, [hash])
}
