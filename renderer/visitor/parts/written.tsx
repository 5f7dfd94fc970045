import { createElement, type ReactNode } from 'react'
import {
  LINK_ATTRIBUTES,
  parseMarkdown,
  VOID_TAGS,
  type MarkdownElement,
  type MarkdownNode,
} from '../../../server/texts/markdown/markdown'

/** Text of people as Markdown. */
export const Written = ({ text, small = false }: { text: string; small?: boolean }) => (
  <div className="markdown" data-small={small || undefined}>
    {markdownNodes(text)}
  </div>
)

/** Parsing hostile Markdown is slow, and each visit shows the same texts. Oldest use first. */
const cachedNodes = new Map<string, ReactNode[]>()
const KNOWN_AT_MOST = 200

/** Whether `markdownNodes` would return at once. */
export const isParsed = (text: string): boolean => cachedNodes.has(text)

/** Parses a text, or returns what it was parsed to before. */
export function markdownNodes(text: string): ReactNode[] {
  const nodes = cachedNodes.get(text) ?? parseMarkdown(text).map(renderNode)
  cachedNodes.delete(text)
  cachedNodes.set(text, nodes)
  const [oldest] = cachedNodes.keys()
  if (cachedNodes.size > KNOWN_AT_MOST && oldest !== undefined) cachedNodes.delete(oldest)
  return nodes
}

const renderNode = (node: MarkdownNode, index: number): ReactNode =>
  typeof node === 'string' ? node : renderElement(node, index)

function renderElement({ tag, href, start, children }: MarkdownElement, key: number) {
  if (VOID_TAGS.includes(tag)) return createElement(tag, { key })

  const attributes =
    tag === 'a'
      ? { href, ...LINK_ATTRIBUTES }
      : { start, dir: BLOCKS.has(tag) ? 'auto' : undefined }
  const element = createElement(tag, { key, ...attributes }, ...children.map(renderNode))
  if (tag !== 'table') return element

  return (
    // Lets the keyboard scroll a wide table. No region: landmarks of one page need different names.
    <div key={key} role="group" aria-label="Table" tabIndex={0}>
      {element}
    </div>
  )
}

/** Each block has the direction of its own text. */
const BLOCKS: ReadonlySet<string> = new Set(['p', 'h3', 'h4', 'h5', 'h6', 'li', 'th', 'td'])
