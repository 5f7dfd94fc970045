import { Suspense } from 'react'
import { lazyPage } from '../../lib/browser/lazy-page'
import './markdown.css'

/** Loaded beside the page, because the parser is large. */
const Written = lazyPage(() => import('../../visitor/parts/written'), 'Written')

/** User text as Markdown; as plain text until the parser is loaded. */
export function Markdown({ text, small = false }: { text: string; small?: boolean }) {
  return (
    <Suspense
      fallback={
        <div className="markdown" data-small={small || undefined}>
          <p className="markdown-source" dir="auto">
            {text}
          </p>
        </div>
      }
    >
      <Written text={text} small={small} />
    </Suspense>
  )
}
