import { useEffect, useRef, useState, type RefObject } from 'react'
import {
  NavigationType,
  Outlet,
  useLocation,
  useNavigate,
  useNavigationType,
} from 'react-router-dom'
import { isPagePath, isServerPath } from '../../../server/contract/routes'
import { useHost, useHostChanges, useHostTrouble } from '../../lib/host/host'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useSession, useSessionEnd } from '../../lib/session/session'
import { isAppWindow, onOpenPage } from '../../lib/browser/desktop'
import { Lazily } from '../../ui/feedback/lazily'
import { Frame as VisitorFrame } from '../../visitor/frame/frame'
import '../../visitor/in-app.css'
import { SidebarToggle, UserActions } from './header'
import { PagePlace } from './page-placeholder'
import { ConnectionBanner } from './banners/connection-banner'

const DiskBanner = lazyPage(() => import('./banners/disk-banner'), 'DiskBanner')
const RecoveryBanner = lazyPage(() => import('./banners/recovery-banner'), 'RecoveryBanner')
const ReadOnlyBanner = lazyPage(() => import('./banners/read-only-banner'), 'ReadOnlyBanner')

export function Frame() {
  useSessionEnd()
  useHostChanges()
  useOpenedPage()
  const { pathname } = useLocation()
  const { main, announcement } = useRouteChange()
  useKeptFocus(main)
  useReturnedFocus()
  useVisitorLinks()
  const { status, user } = useSession()
  const { version, demo } = useHost()
  const trouble = useHostTrouble()

  return (
    <VisitorFrame
      version={version}
      demo={demo}
      path={pathname}
      menu={user && <SidebarToggle user={user} />}
      actions={status === 'out' ? undefined : user ? <UserActions user={user} /> : null}
      banners={
        <>
          <div role="status" className="hidden">
            {announcement}
          </div>
          <ConnectionBanner />
          <Lazily>{trouble !== null && <ReadOnlyBanner trouble={trouble} />}</Lazily>
          <AfterFirstView>
            <Lazily>{user?.is_host && <DiskBanner />}</Lazily>
            <Lazily>{isAppWindow() && <RecoveryBanner />}</Lazily>
          </AfterFirstView>
        </>
      }
      main={main}
    >
      <PagePlace path={pathname}>
        <Outlet />
      </PagePlace>
    </VisitorFrame>
  )
}

/** Follows the plain links of components for visitors without loading the app again. */
function useVisitorLinks(): void {
  const navigate = useNavigate()

  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const path = pageBehind(event)
      if (path === undefined) return
      event.preventDefault()
      void navigate(path)
    }
    document.addEventListener('click', follow)
    return () => document.removeEventListener('click', follow)
  }, [navigate])
}

/** The page of the app that a click on a plain link opens. */
function pageBehind(event: MouseEvent): string | undefined {
  const link =
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('.visitor a') : null
  const isPlain =
    event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  if (
    !link ||
    !isPlain ||
    event.defaultPrevented ||
    link.target !== '' ||
    link.hasAttribute('download')
  )
    return

  const { origin, pathname, search, hash } = link
  if (origin !== window.location.origin || hash !== '' || isServerPath(pathname)) return

  return isPagePath(pathname) ? pathname + search : undefined
}

/**
 * Keeps the focus in the page when the focused element disappears, such as a deleted row. A browser
 * would restart above the header.
 */
function useKeptFocus(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: EventTarget | null = null
    const remember = ({ target }: FocusEvent) => (last = target)

    const keep = new MutationObserver(() => {
      if (document.activeElement !== document.body || !(last instanceof Node) || last.isConnected)
        return
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

/**
 * Returns the focus to a button that was disabled while it worked. Chrome takes it away, the newest
 * after a frame.
 */
function useReturnedFocus(): void {
  useEffect(() => {
    let last: EventTarget | null = null
    const remember = ({ target }: Event) => (last = target)

    const giveBack = new MutationObserver((changes) => {
      const isFree = document.activeElement === document.body
      if (!isFree || !(last instanceof HTMLElement) || last.matches(':disabled')) return
      if (changes.some(({ target }) => target === last)) last.focus({ preventScroll: true })
    })

    document.addEventListener('focusin', remember)
    // A press elsewhere takes the focus away on purpose.
    document.addEventListener('pointerdown', remember)
    giveBack.observe(document.body, { attributeFilter: ['disabled'], subtree: true })

    return () => {
      document.removeEventListener('focusin', remember)
      document.removeEventListener('pointerdown', remember)
      giveBack.disconnect()
    }
  }, [])
}

/**
 * Imitates a page load on navigation: scrolls to the top, moves the focus into the page, and
 * announces the title.
 */
function useRouteChange(): { main: RefObject<HTMLElement | null>; announcement: string } {
  const { pathname, hash } = useLocation()
  const kind = useNavigationType()
  const main = useRef<HTMLElement>(null)
  const previousPath = useRef(pathname)
  const [announcement, setAnnouncement] = useState('')

  useEffect(() => {
    if (previousPath.current === pathname) return
    previousPath.current = pathname
    if (kind !== NavigationType.Pop && hash === '') window.scrollTo(0, 0)
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) main.current?.focus({ preventScroll: true })
      setAnnouncement(document.title)
    }, 150)
    return () => clearTimeout(timer)
  }, [pathname, hash, kind])

  return { main, announcement }
}

/** In the app window: opens the page that the menu or a `slipway://` link requests. */
function useOpenedPage(): void {
  const navigate = useNavigate()
  useEffect(() => onOpenPage((path) => void navigate(path)), [navigate])
}
