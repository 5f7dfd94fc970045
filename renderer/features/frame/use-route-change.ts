import { useEffect, useRef, useState, type RefObject } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom'

/**
 * Does on navigation what a browser does on a page load: scrolls to the top, moves the focus into the page, and
 * announces the title.
 */
export function useRouteChange(): { main: RefObject<HTMLElement | null>; announcement: string } {
  const { pathname, hash } = useLocation()
  const kind = useNavigationType()
  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  const [announcement, setAnnouncement] = useState('')

  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (kind !== NavigationType.Pop && hash === '') window.scrollTo(0, 0)
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) main.current?.focus({ preventScroll: true })
      setAnnouncement(document.title)
    }, 150)
    return () => clearTimeout(timer)
  }, [pathname, hash, kind])

  return { main, announcement }
}
