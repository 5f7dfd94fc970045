import { Suspense, useEffect, type PropsWithChildren } from 'react'
import { loadWhileIdle, useFirstView } from './first-view'
import { WaitingPlace } from './lazy-page'

/**
 * Shows parts that load after the first view, or earlier if the person asks for one (`isNeeded`).
 */
export function AfterFirstView({
  isNeeded = false,
  children,
}: PropsWithChildren<{ isNeeded?: boolean }>) {
  const isFirstViewDone = useFirstView()
  return (
    <WaitingPlace note={null}>
      <Suspense>{(isNeeded || isFirstViewDone) && children}</Suspense>
    </WaitingPlace>
  )
}

/**
 * Loads what a person may open next on this page, once its first view is done. `load` stays the
 * same function.
 */
export function useLoadLater(load: () => Promise<unknown>): void {
  const isFirstViewDone = useFirstView()
  useEffect(() => {
    if (isFirstViewDone) void loadWhileIdle([load])
  }, [isFirstViewDone, load])
}
