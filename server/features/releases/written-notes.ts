import { SizedCache } from '../../core/sized-cache'
import { inSlice } from '../../core/time-slices'
import { markdownHtml, parseMarkdown } from '../../texts/markdown/markdown'
import { cutWords, plainText } from '../../texts/markdown/markdown-text'

const MOST_BYTES = 16 * 1024 * 1024

/** Cached by record: a change replaces the record. */
const htmls = new SizedCache<object, string>(MOST_BYTES)
const texts = new SizedCache<object, string>(MOST_BYTES)

/**
 * Returns the Markdown of a record as sanitized HTML. Parses it once, in a slice of the event loop.
 */
export const readHtml = (record: object, markdown: string): Promise<string> =>
  readOnce(htmls, record, () => markdownHtml(parseMarkdown(markdown)))

/** Returns the start of the Markdown of a record as plain text, parsed in the same way. */
export const readText = async (record: object, markdown: string, most: number): Promise<string> =>
  cutWords(await readOnce(texts, record, () => plainText(markdown)), most)

async function readOnce(cache: typeof htmls, record: object, read: () => string): Promise<string> {
  // Parsing a hostile text takes about 50 ms. A request before this one may have parsed it.
  return (
    cache.get(record) ??
    inSlice(() => {
      const text = cache.get(record) ?? read()
      cache.set(record, text)
      return text
    })
  )
}
