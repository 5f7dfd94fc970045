import { Suspense } from 'react'
import { lazyPage } from '../../lib/browser/lazy-page'
import './markdown.css'

/** Loaded beside the page, so that it does not delay a download. */
const MarkdownTree = lazyPage(() => import('./markdown-tree'), 'MarkdownTree')

/** User text as Markdown; as plain text until the parser is loaded. */
export function Markdown({ text, small = false }: { text: string; small?: boolean }) {
  return (
    <div className="markdown" data-small={small || undefined}>
      <Suspense
        fallback={
          <p className="markdown-source" dir="auto">
            {text}
          </p>
        }
      >
        <MarkdownTree text={text} />
      </Suspense>
    </div>
  )
}
