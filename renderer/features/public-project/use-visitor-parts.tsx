import { Suspense } from 'react'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useHost, useShareUrl } from '../../lib/host/host'
import { Markdown } from '../../ui/markdown/markdown'
import { useNow } from '../../ui/text/use-now'

const PageCode = lazyPage(() => import('../../visitor/parts/page-code'), 'PageCode')

/** Loaded beside the page, because few visitors look at a code. */
const Code = ({ value }: { value: string }) => (
  <Suspense>
    <PageCode value={value} />
  </Suspense>
)

/** What all pages of a project need from the app. */
export function useVisitorParts() {
  const { reachable, version } = useHost()
  const url = useShareUrl()('')
  return {
    now: useNow(),
    // Until the host has answered, it says nothing about its reach.
    host: { url, reachable: reachable || version === '' },
    Written: Markdown,
    Code,
  }
}
