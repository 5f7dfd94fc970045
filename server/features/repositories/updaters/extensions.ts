import { markup } from '../../../http/pages/html'
import { json, oneDocument, type Build, type Feed } from './feed'

const requirement = (browser: string, { facts }: Build) =>
  new RegExp(`^${browser} ([\\d.*]+)$`).exec(facts?.minOs ?? '')?.[1]

const byId = (feed: Feed) =>
  [...Map.groupBy(feed.builds, ({ facts }) => facts?.appId ?? '')].filter(([id]) => id !== '')

/** Prints an update manifest of Firefox (extensionworkshop.com, "Updating your extension"). */
export function printFirefox(feed: Feed): string {
  const addons = byId(feed).map(([id, builds]) => {
    const updates = builds.map((build) => ({
      version: build.version,
      update_link: build.url,
      update_hash: `sha256:${build.sha256}`,
      applications: { gecko: { strict_min_version: requirement('Firefox', build) } },
    }))
    return [id, { updates }] as const
  })
  return json({ addons: Object.fromEntries(addons) })
}

/**
 * Prints an update manifest of Chromium (developer.chrome.com, "Update manifest"). Chromium reads
 * the first entry of an extension.
 */
export const printChromium = (feed: Feed): string =>
  markup`<?xml version="1.0" encoding="utf-8"?>
<gupdate xmlns="http://www.google.com/update2/response" protocol="2.0">${byId(feed).map(
    ([id, [build]]) => {
      const least = build && requirement('Chrome', build)
      return markup`
  <app appid="${id}">
    <updatecheck codebase="${build?.url}" version="${build?.version}" hash_sha256="${
      build?.sha256
    }"${least !== undefined && markup` prodversionmin="${least}"`}/>
  </app>`
    },
  )}
</gupdate>
`.text

/** Serves the project as `firefox/{channel}/updates.json`. */
export const firefox = oneDocument({
  name: () => 'updates.json',
  type: 'application/json',
  most: 20,
  print: printFirefox,
})

/** Serves the project as `chromium/{channel}/updates.xml`. */
export const chromium = oneDocument({
  name: () => 'updates.xml',
  type: 'application/xml; charset=utf-8',
  most: 20,
  print: printChromium,
})
