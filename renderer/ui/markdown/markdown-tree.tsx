import { createElement, useMemo, type ReactNode } from 'react'
import {
  LINK_ATTRIBUTES,
  parseMarkdown,
  VOID_TAGS,
  type MarkdownElement,
  type MarkdownNode,
} from '../../../server/contract/markdown'

export function MarkdownTree({ text }: { text: string }) {
  return useMemo(() => parseMarkdown(text), [text]).map(nodeOf)
}

const nodeOf = (node: MarkdownNode, index: number): ReactNode =>
  typeof node === 'string' ? node : elementOf(node, index)

function elementOf({ tag, href, start, children }: MarkdownElement, key: number) {
  if (VOID_TAGS.includes(tag)) return createElement(tag, { key })
  const attributes = tag === 'a' ? { href, ...LINK_ATTRIBUTES } : { start, dir: BLOCKS.has(tag) ? 'auto' : undefined }
  const element = createElement(tag, { key, ...attributes }, ...children.map(nodeOf))
  if (tag !== 'table') return element
  return (
    // Lets the keyboard scroll a wide table.
    <div key={key} role="region" aria-label="Table" tabIndex={0}>
      {element}
    </div>
  )
}

/** Each block has the direction of its own text. */
const BLOCKS: ReadonlySet<string> = new Set(['p', 'h3', 'h4', 'h5', 'h6', 'li', 'th', 'td'])
