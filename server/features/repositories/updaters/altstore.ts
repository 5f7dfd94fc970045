import { markdownText } from '../../../texts/markdown/markdown-text'
import { json, oneDocument, type Build, type Feed } from './feed'

const MOST_TEXT = 4000

/** Prints a source for AltStore and SideStore (faq.altstore.io, "Make a source"). The first version is the newest. */
export function printSource({ slug, title, summary, author, page, builds }: Feed): string {
  const apps = [...Map.groupBy(builds, ({ facts }) => facts?.appId ?? '')].filter(([id]) => id !== '')
  return json({
    name: title,
    identifier: `slipway.${slug}`,
    website: page,
    apps: apps.map(([bundleIdentifier, files]) => ({
      name: files[0]?.name ?? title,
      bundleIdentifier,
      developerName: author,
      localizedDescription: summary,
      iconURL: files[0]?.icon,
      versions: files.map(version),
      appPermissions: { entitlements: [], privacy: {} },
    })),
    news: [],
  })
}

const version = ({ version: name, facts, publishedAt, notes, url, size, sha256 }: Build) => ({
  version: name,
  buildVersion: facts?.build ?? name,
  date: publishedAt,
  localizedDescription: markdownText(notes, MOST_TEXT),
  downloadURL: url,
  size,
  sha256,
  minOSVersion: /^iOS ([\d.]+)$/.exec(facts?.minOs ?? '')?.[1],
})

/** The project as `altstore/{channel}/source.json`. */
export const altstore = oneDocument({
  name: () => 'source.json',
  type: 'application/json',
  suits: ({ facts }) => facts?.kind === 'ipa',
  most: 50,
  reads: ['details'],
  print: printSource,
})
