import { cutText } from '../format'
import { parseMarkdown, type MarkdownElement, type MarkdownNode } from './markdown'

/** Enough source for a line or two, including marks and URLs. */
const READ_AT_MOST = 4000

/**
 * Returns the start of a text without Markdown, on one line of at most `most` characters, cut
 * between words.
 */
export const markdownText = (source: string, most: number): string =>
  cutWords(plainText(source), most)

/** Returns the start of a text without Markdown, on one line. */
export const plainText = (source: string): string =>
  textOf(parseMarkdown(source.slice(0, READ_AT_MOST)))
    .replace(/\s+/g, ' ')
    .trim()

/** Cuts a line between words, or within a word that is longer than half of the line. */
export function cutWords(words: string, most: number): string {
  if (words.length <= most) return words
  const end = words.lastIndexOf(' ', most - 1)
  return end > most / 2 ? `${words.slice(0, end)}…` : cutText(words, most)
}

const INLINE: readonly MarkdownElement['tag'][] = ['strong', 'em', 'del', 'code', 'a']

const textOf = (nodes: readonly MarkdownNode[]): string =>
  nodes
    .map((node) => {
      if (typeof node === 'string') return node
      return INLINE.includes(node.tag) ? textOf(node.children) : ` ${textOf(node.children)} `
    })
    .join('')
