import { Suspense } from 'react'
import { useFirstView } from '../../lib/browser/first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import './markdown.css'

/** Loaded after the first view, because the parser is large. */
const Written = lazyPage(() => import('../../visitor/parts/written'), 'Written')

/** User text as Markdown; as plain text until the parser is loaded. */
export function Markdown({ text, small = false }: { text: string; small?: boolean }) {
  const isFirstViewDone = useFirstView()
  const source = (
    <div className="markdown" data-small={small || undefined}>
      <p className="markdown-source" dir="auto">
        {text}
      </p>
    </div>
  )
  // Not within the Suspense, which would keep the source beside its fallback.
  if (!isFirstViewDone) return source
  return (
    <Suspense fallback={source}>
      <Written text={text} small={small} />
    </Suspense>
  )
}
