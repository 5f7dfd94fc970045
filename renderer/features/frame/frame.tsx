import { Suspense } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { useHostChanges } from '../../lib/host/host'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useSession, useSessionEnd } from '../../lib/session/session'
import { ErrorBoundary } from '../../ui/feedback/error-boundary'
import { Footer } from './footer'
import classes from './frame.module.css'
import { Header } from './header'
import { PagePlaceholder } from './page-placeholder'
import { ReadOnlyBanner } from './banners/read-only-banner'
import { RecoveryBanner } from './banners/recovery-banner'
import { useKeptFocus } from './use-kept-focus'
import { useOpenedPage } from './use-opened-page'
import { useRouteChange } from './use-route-change'

const DiskBanner = lazyPage(() => import('./banners/disk-banner'), 'DiskBanner')

export function Frame({ onChangePassword }: { onChangePassword: () => void }) {
  useSessionEnd()
  useHostChanges()
  useOpenedPage()
  const { pathname } = useLocation()
  const { main, announcement } = useRouteChange()
  useKeptFocus(main)
  const isHost = useSession().user?.is_host ?? false
  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <Header onChangePassword={onChangePassword} />
      <ReadOnlyBanner />
      {isHost && (
        <Suspense>
          <DiskBanner />
        </Suspense>
      )}
      <RecoveryBanner />
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <ErrorBoundary resetKey={pathname}>
          <Suspense fallback={<PagePlaceholder />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Footer />
      <div role="status" className={classes.hidden}>
        {announcement}
      </div>
    </div>
  )
}
