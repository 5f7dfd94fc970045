import { Suspense } from 'react'
import { Outlet, useLocation } from 'react-router-dom'
import { useSessionEnd } from '../../lib/session'
import { ErrorBoundary } from '../../ui/error-boundary'
import { Footer } from './footer'
import classes from './frame.module.css'
import { Header } from './header'
import { PagePlaceholder } from './page-placeholder'
import { useRouteChange } from './use-route-change'

/** What stands around every page: skip link, header, the page itself, footer. */
export function Frame({ onChangePassword }: { onChangePassword: () => void }) {
  useSessionEnd()
  const { pathname } = useLocation()
  const { main, announcement } = useRouteChange()
  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <Header onChangePassword={onChangePassword} />
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
