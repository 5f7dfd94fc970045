import { PRODUCT_PICTURE } from '../../../http/pages/page-head'
import { json, limitNotes, oneDocument, type Build, type Feed } from './feed'

/** Entitlements that AltStore ignores. */
const OF_EVERY_APP = ['application-identifier', 'com.apple.developer.team-identifier']

/**
 * Prints a source for AltStore and SideStore (faq.altstore.io, "Make a source"). The first version
 * is the newest.
 */
export function printSource({ slug, title, summary, author, page, builds }: Feed): string {
  const limited = limitNotes()

  const apps = [...Map.groupBy(builds, ({ facts }) => facts?.appId ?? '')].filter(
    ([id]) => id !== '',
  )

  return json({
    name: title,
    identifier: `slipway.${slug}`,
    website: page,
    apps: apps.map(([bundleIdentifier, files]) => ({
      name: files[0]?.name ?? title,
      bundleIdentifier,
      developerName: author,
      localizedDescription: summary,
      // AltStore rejects the whole source if one is missing.
      iconURL: files[0]?.icon ?? new URL(PRODUCT_PICTURE.path, page).href,
      versions: listVersions(files).map((build) => presentVersion(build, limited(build.text))),
      appPermissions: listPermissions(files),
    })),
    news: [],
  })
}

/** Keeps one file per version and build number: AltStore rejects a source with duplicates. */
const listVersions = (files: readonly Build[]) =>
  [
    ...Map.groupBy(files, ({ version, facts }) => `${version}|${facts?.build ?? version}`).values(),
  ].flatMap(([first]) => first ?? [])

/** Lists what any of the files requests: AltStore rejects an app that requests more. */
function listPermissions(files: readonly Build[]) {
  const bundles = files.flatMap(({ details }) => details?.apple ?? [])
  const entitlements = new Set(bundles.flatMap((apple) => apple.entitlements ?? []))
  // The newest reason wins.
  const privacy = bundles.toReversed().flatMap((apple) => apple.privacy ?? [])
  return {
    entitlements: [...entitlements].filter((name) => !OF_EVERY_APP.includes(name)),
    privacy: Object.fromEntries(privacy.map(({ key, reason }) => [key, reason])),
  }
}

const presentVersion = (
  { version: name, facts, publishedAt, url, size, sha256 }: Build,
  notes: string,
) => ({
  version: name,
  buildVersion: facts?.build ?? name,
  date: publishedAt,
  localizedDescription: notes,
  downloadURL: url,
  size,
  sha256,
  minOSVersion: /^iOS ([\d.]+)$/.exec(facts?.minOs ?? '')?.[1],
})

/** Serves the project as `altstore/{channel}/source.json`. */
export const altstore = oneDocument({
  name: () => 'source.json',
  type: 'application/json',
  most: 50,
  reads: ['details', 'text'],
  print: printSource,
})
