import type { Build, Feed } from '../../../../server/features/repositories/updaters/feed'

export const sha256 = 'a1'.repeat(32)
export const tauri = Buffer.from(
  `untrusted comment: signature from tauri secret key\n${'R'.repeat(100)}\n`,
).toString('base64')
export const ed25519 = `${'S'.repeat(86)}==`

/** A build whose texts are all the same. */
export const aBuild = (filename: string, text: string, more: Partial<Build> = {}): Build => ({
  release: text,
  version: text,
  channel: 'stable',
  notes: text,
  html: text,
  text,
  publishedAt: '2026-11-20T10:00:00.000Z',
  filename,
  extension: /[a-z]+$/i.exec(filename)?.[0]?.toLowerCase() ?? '',
  url: `https://host.example/p/rocket/releases/1/${encodeURIComponent(filename)}`,
  size: 5,
  sha256,
  architectures: [],
  facts: undefined,
  details: undefined,
  name: text,
  icon: undefined,
  signature: { ed25519, tauri },
  sha1: '0f'.repeat(20),
  ...more,
})
/** A project whose texts are all the same. */
export const aFeed = (text: string, ...builds: readonly Build[]): Feed => ({
  slug: 'rocket',
  title: text,
  summary: text,
  author: text,
  page: 'https://host.example/p/rocket',
  builds,
})
