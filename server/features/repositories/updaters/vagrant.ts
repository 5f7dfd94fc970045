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
        // Without one, Vagrant refuses two boxes of one provider.
        architecture:
          architecture === undefined ? undefined : (ARCHITECTURES[architecture] ?? architecture),
        url,
        checksum_type: 'sha256',
        checksum: sha256,
      })),
    })),
  })
}

/** Vagrant's names of architectures, by ours. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', x86: 'i386' }

/** As RubyGems spells them. */
const isVersion = (text: string) => /^v?\d+(\.[0-9a-z]+)*(-[0-9a-z-]+(\.[0-9a-z-]+)*)?$/i.test(text)

/** The project as `vagrant/{channel}/box.json`. */
export const vagrant = oneDocument({
  name: () => 'box.json',
  type: 'application/json',
  most: 50,
  print: printBox,
})
