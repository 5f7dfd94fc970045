import { json, oneDocument, type Feed } from './feed'

/** Prints the metadata of a box for Vagrant (developer.hashicorp.com, "Box metadata"). */
export function printBox({ slug, author, summary, builds }: Feed): string {
  const versions = [...Map.groupBy(builds, ({ release }) => release)].filter(([release]) =>
    isVersion(release),
  )

  return json({
    name: `${author}/${slug}`,
    description: summary,
    versions: versions.map(([version, boxes]) => ({
      version: version.replace(/^v/i, ''),
      providers: boxes.map(({ facts, architectures: [architecture], url, sha256 }) => ({
        name: facts?.minOs,
        // Vagrant rejects two boxes of one provider if this is missing.
        architecture:
          architecture === undefined ? undefined : (ARCHITECTURES[architecture] ?? architecture),
        url,
        checksum_type: 'sha256',
        checksum: sha256,
      })),
    })),
  })
}

/** Maps our names of architectures to Vagrant's. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', x86: 'i386' }

/** Whether RubyGems accepts the text as a version. */
const isVersion = (text: string) => /^v?\d+(\.[0-9a-z]+)*(-[0-9a-z-]+(\.[0-9a-z-]+)*)?$/i.test(text)

/** Serves the project as `vagrant/{channel}/box.json`. */
export const vagrant = oneDocument({
  name: () => 'box.json',
  type: 'application/json',
  most: 50,
  print: printBox,
})
