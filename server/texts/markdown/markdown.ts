import { escapeHtml } from '../format'
import { Lexer, Tokenizer, type MarkedToken, type Token, type Tokens } from 'marked'

type Tag =
  | ('p' | 'h3' | 'h4' | 'h5' | 'h6' | 'ul' | 'ol' | 'li' | 'blockquote' | 'pre' | 'hr')
  | ('table' | 'thead' | 'tbody' | 'tr' | 'th' | 'td')
  | ('strong' | 'em' | 'del' | 'code' | 'br' | 'a')

/** An element: only these tags and attributes exist, so nothing else becomes markup. */
export interface MarkdownElement {
  tag: Tag
  children: MarkdownNode[]
  /** Link target: an absolute http, https or mailto URL. */
  href?: string
  /** First number of a numbered list, unless 1. */
  start?: number
}
export type MarkdownNode = string | MarkdownElement

/** Attributes of all links, as they are user content. */
export const LINK_ATTRIBUTES = {
  target: '_blank',
  rel: 'nofollow noopener noreferrer ugc',
} as const
export const VOID_TAGS: readonly Tag[] = ['br', 'hr']

/** The page uses h1 and h2 itself. */
const TOP_HEADING = 3
/** Deeper nesting stays text. */
const MAX_DEPTH = 8

/**
 * Work limit per text. marked reads the remaining paragraph at each mark, so a hostile text would
 * take quadratic time. A unit is one character that a rule may read.
 */
const MAX_WORK = 10_000_000
/** Units for a character that a rule reads slowly. */
const SLOW = 20
/** Work limit for escapes and code marks: marked reads or copies the remaining text at each. */
const MAX_SKIPPED = 25_000_000
/** Emphasis reads each character many times. */
const MAX_EMPHASIS_WORK = 100_000
/**
 * Nesting limit of lists and quotes. Slightly above the displayed depth, as each level is parsed
 * again.
 */
const MAX_NESTING = MAX_DEPTH + 2
/** marked reads long runs of blanks and marks in quadratic time. */
const LONG_RUNS = /([^\p{L}\p{N}\n])\1{99,}|(?:[*_-][ \t]?){100,}/gu
const MAX_RUN = 100
/** marked reads the end of a URL again and again. */
const LONG_URL = /^[^\s<]{2000}/

class TooMuchWorkError extends Error {
  override readonly name = 'TooMuchWorkError'
}

/** Keeps HTML as text, emphasis beyond its limit too. Throws TooMuchWorkError. */
class PlainTokenizer extends Tokenizer {
  #work = 0
  #emphasis = 0
  #nesting = 0
  override html = () => undefined
  override tag = () => undefined
  /** The first rule that marked tries at each block. */
  override space(src: string) {
    this.#add(src.length)
    return super.space(src)
  }
  /** The first rule that marked tries at each mark in a paragraph. */
  override escape(src: string) {
    this.#add(src.length)
    return super.escape(src)
  }
  override lheading(src: string) {
    const end = src.indexOf('\n\n')
    this.#add(end === -1 ? src.length : end, SLOW)
    return super.lheading(src)
  }
  override emStrong(...of: Parameters<Tokenizer['emStrong']>) {
    return this.#mayEmphasize(of[0]) ? super.emStrong(...of) : undefined
  }
  override del(...of: Parameters<Tokenizer['del']>) {
    return this.#mayEmphasize(of[0]) ? super.del(...of) : undefined
  }
  override list(src: string) {
    return this.#nested(() => super.list(src))
  }
  override blockquote(src: string) {
    return this.#nested(() => super.blockquote(src))
  }
  override url(src: string) {
    return LONG_URL.test(src) ? undefined : super.url(src)
  }
  #nested<T>(read: () => T): T | undefined {
    if (this.#nesting >= MAX_NESTING) return undefined
    this.#nesting++
    try {
      return read()
    } finally {
      this.#nesting--
    }
  }
  #add(characters: number, cost = 1): void {
    this.#work += characters * cost
    if (this.#work > MAX_WORK) throw new TooMuchWorkError()
  }
  #mayEmphasize(src: string): boolean {
    if (!/^[*_~]/.test(src)) return false
    this.#emphasis += src.length
    return this.#emphasis <= MAX_EMPHASIS_WORK
  }
}

/**
 * Parses Markdown into a tree for React, HTML or plain text. Keeps line breaks, treats HTML as
 * text, and converts images to links. Returns a text that exceeds the work limit as plain text.
 */
export function parseMarkdown(source: string): MarkdownNode[] {
  const text = source.replace(LONG_RUNS, (run) => run.slice(0, MAX_RUN))

  if ((text.match(/\\|`+/g) ?? []).length * text.length > MAX_SKIPPED)
    return [element('p', [source])]

  try {
    return toOutline(
      blocks(new Lexer({ gfm: true, breaks: true, tokenizer: new PlainTokenizer() }).lex(text), 0),
    )
  } catch (cause) {
    // Thousands of nested quotes overflow marked's stack.
    if (cause instanceof RangeError || cause instanceof TooMuchWorkError)
      return [element('p', [source])]
    throw cause
  }
}

const HEADINGS: readonly Tag[] = ['h3', 'h4', 'h5', 'h6']

/**
 * Gives the headings of a text levels without gaps, from h3: a screen reader reads them as an
 * outline, and a text may begin with `##`.
 */
function toOutline(nodes: MarkdownNode[], above: number[] = []): MarkdownNode[] {
  for (const node of nodes) {
    if (typeof node === 'string') continue

    const written = HEADINGS.indexOf(node.tag)
    if (written < 0) toOutline(node.children, above)
    else {
      while ((above.at(-1) ?? -1) >= written) above.pop()
      node.tag = HEADINGS[Math.min(above.length, HEADINGS.length - 1)] ?? 'h6'
      above.push(written)
    }
  }
  return nodes
}

const element = (tag: Tag, children: MarkdownNode[] = []): MarkdownElement => ({ tag, children })

const blocks = (tokens: readonly Token[], depth: number) =>
  tokens.flatMap((token) => block(token as MarkedToken, depth))

function block(token: MarkedToken, depth: number): MarkdownNode[] {
  if (depth > MAX_DEPTH) return [token.raw]
  switch (token.type) {
    case 'heading':
      return [
        element(
          `h${Math.min(6, token.depth - 1 + TOP_HEADING) as 3 | 4 | 5 | 6}`,
          inline(token.tokens),
        ),
      ]
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
  return typeof start === 'number' && start !== 1
    ? { tag: 'ol', start, children }
    : element('ol', children)
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
  return nodes
    .map((node) => (typeof node === 'string' ? escapeHtml(node) : elementHtml(node)))
    .join('')
}

function elementHtml({ tag, href, start, children }: MarkdownElement): string {
  const attributes = { href, start, ...(tag === 'a' && LINK_ATTRIBUTES) }
  const written = Object.entries(attributes).map(([name, value]) =>
    value === undefined ? '' : ` ${name}="${escapeHtml(String(value))}"`,
  )
  const open = `<${tag}${written.join('')}>`
  return VOID_TAGS.includes(tag) ? open : `${open}${markdownHtml(children)}</${tag}>`
}
