import { setImmediate as nextTick } from 'node:timers/promises'
import { SizedCache } from '../../core/sized-cache'
import { markdownHtml, parseMarkdown } from '../../texts/markdown/markdown'
import { cutWords, plainText } from '../../texts/markdown/markdown-text'

const MOST_BYTES = 16 * 1024 * 1024

/** Cached by record: a change replaces the record. */
const htmls = new SizedCache<object, string>(MOST_BYTES)
const texts = new SizedCache<object, string>(MOST_BYTES)

/**
 * Returns the Markdown of a record as sanitized HTML. Parses it once, in its own tick of the event
 * loop.
 */
export const readHtml = (record: object, markdown: string): Promise<string> =>
  readOnce(htmls, record, () => markdownHtml(parseMarkdown(markdown)))

/** Returns the start of the Markdown of a record as plain text, parsed in the same way. */
export const readText = async (record: object, markdown: string, most: number): Promise<string> =>
  cutWords(await readOnce(texts, record, () => plainText(markdown)), most)

async function readOnce(cache: typeof htmls, record: object, read: () => string): Promise<string> {
  const before = cache.get(record)
  if (before !== undefined) return before

  // Parsing a hostile text takes about 50 ms.
  await nextTick()
  const text = read()
  cache.set(record, text)
  return text
}
