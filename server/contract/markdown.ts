import { Lexer, Tokenizer, type MarkedToken, type Token, type Tokens } from 'marked'

type Tag =
  | ('p' | 'h3' | 'h4' | 'h5' | 'h6' | 'ul' | 'ol' | 'li' | 'blockquote' | 'pre' | 'hr')
  | ('table' | 'thead' | 'tbody' | 'tr' | 'th' | 'td')
  | ('strong' | 'em' | 'del' | 'code' | 'br' | 'a')

/** An element: only these tags and attributes exist, so nothing else becomes markup. */
export interface MarkdownElement {
  tag: Tag
  children: MarkdownNode[]
  /** For links: an absolute http, https or mailto URL. */
  href?: string
  /** For numbered lists: the first number, unless 1. */
  start?: number
}
export type MarkdownNode = string | MarkdownElement

/** For all links: they are user content. */
export const LINK_ATTRIBUTES = { target: '_blank', rel: 'nofollow noopener noreferrer ugc' } as const
export const VOID_TAGS: readonly Tag[] = ['br', 'hr']

/** The page uses h1 and h2 itself. */
const TOP_HEADING = 3
/** Deeper nesting stays text. */
const MAX_DEPTH = 8

/** Attempts at emphasis per text: each scans the rest of its paragraph, so a hostile text would take seconds. */
const MAX_EMPHASIS = 500

/** Keeps HTML as text. */
class PlainTokenizer extends Tokenizer {
  #emphasis = MAX_EMPHASIS
  override html = () => undefined
  override tag = () => undefined
  override emStrong(...of: Parameters<Tokenizer['emStrong']>) {
    return this.#emphasis-- > 0 ? super.emStrong(...of) : undefined
  }
  override del(...of: Parameters<Tokenizer['del']>) {
    return this.#emphasis-- > 0 ? super.del(...of) : undefined
  }
}

/**
 * Parses Markdown into a tree for React, HTML or plain text. Keeps line breaks, treats HTML as text, turns images into
 * links.
 */
export function parseMarkdown(source: string): MarkdownNode[] {
  try {
    return blocks(new Lexer({ gfm: true, breaks: true, tokenizer: new PlainTokenizer() }).lex(source), 0)
  } catch (cause) {
    // Thousands of nested quotes overflow marked's stack.
    if (cause instanceof RangeError) return [element('p', [source])]
    throw cause
  }
}

const element = (tag: Tag, children: MarkdownNode[] = []): MarkdownElement => ({ tag, children })

const blocks = (tokens: readonly Token[], depth: number) =>
  tokens.flatMap((token) => block(token as MarkedToken, depth))

function block(token: MarkedToken, depth: number): MarkdownNode[] {
  if (depth > MAX_DEPTH) return [token.raw]
  switch (token.type) {
    case 'heading':
      return [element(`h${Math.min(6, token.depth - 1 + TOP_HEADING) as 3 | 4 | 5 | 6}`, inline(token.tokens))]
    case 'paragraph':
      return [element('p', inline(token.tokens))]
    case 'blockquote':
      return [element('blockquote', blocks(token.tokens, depth + 1))]
    case 'list':
      return [list(token, depth)]
    case 'code':
      return [element('pre', [element('code', [token.text])])]
    case 'table':
      return [table(token)]
    case 'hr':
      return [element('hr')]
    case 'space':
    case 'def':
      return []
    case 'checkbox':
      return [token.checked ? '☑ ' : '☐ ']
    default:
      return inline([token])
  }
}

function list({ ordered, start, items }: Tokens.List, depth: number): MarkdownElement {
  const children = items.map((item) => element('li', blocks(item.tokens, depth + 1)))
  if (!ordered) return element('ul', children)
  return typeof start === 'number' && start !== 1 ? { tag: 'ol', start, children } : element('ol', children)
}

function table({ header, rows }: Tokens.Table): MarkdownElement {
  const row = (tag: 'th' | 'td', cells: readonly Tokens.TableCell[]) =>
    element(
      'tr',
      cells.map((cell) => element(tag, inline(cell.tokens))),
    )
  const head = element('thead', [row('th', header)])
  return element('table', [
    head,
    element(
      'tbody',
      rows.map((cells) => row('td', cells)),
    ),
  ])
}

const inline = (tokens: readonly Token[]) => tokens.flatMap((token) => span(token as MarkedToken))

function span(token: MarkedToken): MarkdownNode[] {
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return [element(token.type, inline(token.tokens))]
    case 'codespan':
      return [element('code', [token.text])]
    case 'br':
      return [element('br')]
    case 'link':
      return link(token.href, inline(token.tokens))
    case 'image':
      return link(token.href, [token.text === '' ? token.href : token.text])
    case 'escape':
      return [token.text]
    case 'text':
      return token.tokens ? inline(token.tokens) : [token.text]
    default:
      return [token.raw]
  }
}

/** Keeps only the text of links with other protocols. */
function link(href: string, children: MarkdownNode[]): MarkdownNode[] {
  const address = URL.canParse(href) ? new URL(href) : undefined
  if (!address || !['http:', 'https:', 'mailto:'].includes(address.protocol)) return children
  return [{ tag: 'a', href: address.href, children }]
}

/** Renders escaped HTML, limited to the tags of the tree. */
export function markdownHtml(nodes: readonly MarkdownNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? escapeHtml(node) : elementHtml(node))).join('')
}

function elementHtml({ tag, href, start, children }: MarkdownElement): string {
  const attributes = { href, start, ...(tag === 'a' && LINK_ATTRIBUTES) }
  const written = Object.entries(attributes).map(([name, value]) =>
    value === undefined ? '' : ` ${name}="${escapeHtml(String(value))}"`,
  )
  const open = `<${tag}${written.join('')}>`
  return VOID_TAGS.includes(tag) ? open : `${open}${markdownHtml(children)}</${tag}>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

/** Enough source for a line or two, including marks and URLs. */
const READ_AT_MOST = 4000

/** Returns the start of a text without Markdown, on one line of at most `most` characters, cut between words. */
export function markdownText(source: string, most: number): string {
  const words = textOf(parseMarkdown(source.slice(0, READ_AT_MOST)))
    .replace(/\s+/g, ' ')
    .trim()
  if (words.length <= most) return words
  const cut = words.slice(0, most)
  const end = cut.lastIndexOf(' ')
  // Cut a word longer than half of the line, but never within a surrogate pair.
  return `${end > most / 2 ? cut.slice(0, end) : cut.slice(0, -1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

const INLINE: readonly Tag[] = ['strong', 'em', 'del', 'code', 'a']

const textOf = (nodes: readonly MarkdownNode[]): string =>
  nodes
    .map((node) => {
      if (typeof node === 'string') return node
      return INLINE.includes(node.tag) ? textOf(node.children) : ` ${textOf(node.children)} `
    })
    .join('')
