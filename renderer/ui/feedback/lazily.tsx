import { Suspense, type PropsWithChildren, type ReactNode } from 'react'
import { ErrorBoundary } from './error-boundary'

/**
 * A part that loads by itself: the page goes on without it until it is here, or if it does not
 * come.
 */
export const Lazily = ({
  instead = null,
  children,
}: PropsWithChildren<{ instead?: ReactNode }>) => (
  <ErrorBoundary fallback={instead}>
    <Suspense>{children}</Suspense>
  </ErrorBoundary>
)
