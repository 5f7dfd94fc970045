import { markup } from '../../http/pages/html'
import type { Entry, NewsFeed } from './entries'

/** Writes an Atom feed (RFC 4287). */
export function atomFeed({
  id,
  title,
  summary,
  author,
  pageUrl,
  url,
  updatedAt,
  entries,
}: NewsFeed): string {
  return markup`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${id}</id>
  <title>${xml(title)}</title>
  ${summary !== '' && markup`<subtitle>${xml(summary)}</subtitle>`}
  <updated>${updatedAt}</updated>
  <author><name>${xml(author)}</name></author>
  <link rel="self" type="application/atom+xml" href="${url}"/>
  <link rel="alternate" type="text/html" href="${pageUrl}"/>
  <generator>Slipway</generator>${entries.map(entryXml)}
</feed>
`.text
}

const entryXml = ({ id, url, title, html, author, publishedAt, updatedAt, files }: Entry) => markup`
  <entry>
    <id>${id}</id>
    <title>${xml(title)}</title>
    <published>${publishedAt}</published>
    <updated>${updatedAt}</updated>
    <author><name>${xml(author)}</name></author>
    <link rel="alternate" type="text/html" href="${url}"/>${files.map(
      ({ url: href, filename, size, type }) => markup`
    <link rel="enclosure" type="${type}" length="${size}" title="${xml(
      filename,
    )}" href="${href}"/>`,
    )}
    <content type="html">${xml(html)}</content>
  </entry>`

/** Removes the characters that XML 1.0 (§2.2) forbids. */
const xml = (text: string) =>
  text.replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')

/** Writes a JSON Feed (jsonfeed.org, version 1.1). */
export function jsonFeed({ title, summary, author, pageUrl, url, entries }: NewsFeed): string {
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: pageUrl,
    feed_url: url,
    description: summary === '' ? undefined : summary,
    authors: [{ name: author }],
    items: entries.map((entry) => ({
      id: entry.id,
      url: entry.url,
      title: entry.title,
      content_html: entry.html,
      date_published: entry.publishedAt,
      date_modified: entry.updatedAt,
      authors: [{ name: entry.author }],
      attachments: entry.files.map((file) => ({
        url: file.url,
        mime_type: file.type,
        title: file.filename,
        size_in_bytes: file.size,
      })),
    })),
  }

  return `${JSON.stringify(feed, null, 2)}\n`
}
