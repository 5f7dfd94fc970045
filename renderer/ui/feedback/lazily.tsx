import { Suspense, type PropsWithChildren, type ReactNode } from 'react'
import { ErrorBoundary } from './error-boundary'

/** A lazily loaded part: renders nothing until it has loaded, or if loading fails. */
export const Lazily = ({
  instead = null,
  children,
}: PropsWithChildren<{ instead?: ReactNode }>) => (
  <ErrorBoundary fallback={instead}>
    <Suspense>{children}</Suspense>
  </ErrorBoundary>
)
