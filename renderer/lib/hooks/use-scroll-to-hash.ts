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
    if (!target?.matches('input, select, textarea')) return target?.scrollIntoView()
    target.focus({ preventScroll: true })
    target.scrollIntoView({ block: 'center' })
  }, [hash])
}
