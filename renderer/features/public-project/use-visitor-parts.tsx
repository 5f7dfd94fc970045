import { Suspense, useEffect, useRef, useState } from 'react'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useIsAlone, useShareUrl } from '../../lib/host/host'
import { Markdown } from '../../ui/markdown/markdown'
import { useNow } from '../../ui/text/use-now'

const PageCode = lazyPage(() => import('../../visitor/parts/page-code'), 'PageCode')

/** Loaded when a visitor unfolds it, because few do. */
function Code({ value }: { value: string }) {
  const place = useRef<HTMLDivElement>(null)
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const fold = place.current?.closest('details')
    const show = () => setShown(true)
    fold?.addEventListener('toggle', show, { once: true })
    return () => fold?.removeEventListener('toggle', show)
  }, [])

  return (
    <div ref={place}>
      <Suspense>{isShown && <PageCode value={value} />}</Suspense>
    </div>
  )
}

/** App parts of all pages of a project. */
export function useVisitorParts() {
  const isAlone = useIsAlone()
  const url = useShareUrl()('')
  return {
    now: useNow(),
    host: { url, reachable: !isAlone },
    Written: Markdown,
    Code,
  }
}
