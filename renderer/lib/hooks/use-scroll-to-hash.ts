import { useEffect } from 'react'

/** For content that loads after navigation, too late for the browser's own scroll. */
export function useScrollToHash(): void {
  useEffect(() => {
    document.getElementById(window.location.hash.slice(1))?.scrollIntoView()
  }, [])
}
