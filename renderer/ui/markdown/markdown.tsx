import { Suspense } from 'react'
import { useFirstView } from '../../lib/browser/first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import './markdown.css'

const load = () => import('../../visitor/parts/written')
/** Loaded after the first view, because the parser is large. */
const Late = lazyPage(load, 'Written')
let Written: Awaited<ReturnType<typeof load>>['Written'] | undefined

/**
 * For lists of Markdown: load the parser with their data, or each text appears as its source first.
 * Never rejects.
 */
export const loadMarkdown = (): Promise<void> =>
  load().then(
    (part) => void (Written = part.Written),
    () => undefined,
  )

/** User text as Markdown; as plain text until the parser is loaded. */
export function Markdown({ text, small = false }: { text: string; small?: boolean }) {
  const isFirstViewDone = useFirstView()
  if (Written) return <Written text={text} small={small} />

  const source = (
    <div className="markdown" data-small={small || undefined}>
      <p className="markdown-source" dir="auto">
        {text}
      </p>
    </div>
  )
  // Outside the Suspense, which would show the source and its fallback.
  if (!isFirstViewDone) return source

  return (
    <Suspense fallback={source}>
      <Late text={text} small={small} />
    </Suspense>
  )
}
