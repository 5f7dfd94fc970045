import { Skeleton, Stack } from '@mantine/core'
import { Suspense, type ReactNode } from 'react'
import { WaitingPlace } from '../../lib/browser/lazy-page'
import { AwayNote } from '../../ui/feedback/away-note'
import { ErrorBoundary } from '../../ui/feedback/error-boundary'
import pageClasses from '../../ui/layout/page.module.css'
import classes from './frame.module.css'

/** Placeholder of a page that is loading, offline or failed. */
export const PagePlace = ({ path, children }: { path: string; children: ReactNode }) => (
  <ErrorBoundary resetKey={path}>
    <WaitingPlace note={<AwayNote />}>
      <Suspense fallback={<PagePlaceholder />}>{children}</Suspense>
    </WaitingPlace>
  </ErrorBoundary>
)

/** Delayed, because the page's own skeleton follows soon. */
function PagePlaceholder() {
  return (
    <div
      className={`${pageClasses.page} ${classes.placeholder}`}
      role="status"
      aria-label="Loading"
    >
      <Stack gap="sm">
        <Skeleton h={32} w="min(18rem, 60%)" />
        <Skeleton h={16} w="min(28rem, 90%)" mb="lg" />
        <Skeleton h={160} />
      </Stack>
    </div>
  )
}
