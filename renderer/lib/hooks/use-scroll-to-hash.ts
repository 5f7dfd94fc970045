import { useEffect } from 'react'

/** For content that loads after the navigation, when the browser's own jump came too early. */
export function useScrollToHash(): void {
  useEffect(() => {
    document.getElementById(window.location.hash.slice(1))?.scrollIntoView()
  }, [])
}
