import { Suspense } from 'react'
import { lazyPage } from '../../lib/browser/lazy-page'
import './markdown.css'

/** What reads Markdown is fetched beside the page: a visitor can download without it. */
const MarkdownTree = lazyPage(() => import('./markdown-tree'), 'MarkdownTree')

/** What a person wrote, with its Markdown; as it was typed until what reads it has come. */
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
