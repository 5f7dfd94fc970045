import { newestOf, oneDocument, type Feed } from './feed'
import { chooseBuilds, installerOf, isForWindows } from './windows'

const ARCHITECTURES = ['x64', 'x86', 'arm64', 'arm']
const ORDER = ['msix', 'appx', 'msixbundle', 'appxbundle', 'msi', 'exe']
/** Of its schema 1.6.0, in characters. */
const MOST_ID = 32
const MOST_SHORT = 256

/** Prints a manifest of winget, schema 1.6.0, in one file. Undefined without a version or file that it accepts. */
export function printWinget(feed: Feed): string | undefined {
  const { title, summary, author, page, slug } = feed
  const [newest] = newestOf(feed)
  const builds = [...chooseBuilds(feed, ORDER)].filter(([name]) => ARCHITECTURES.includes(name))
  if (builds.length === 0 || !newest || !/^[^\\/:*?"<>|]{1,128}$/.test(newest.release)) return undefined
  const fields = {
    PackageIdentifier: `${idPart(author)}.${idPart(slug)}`,
    PackageVersion: newest.release,
    PackageLocale: 'en-US',
    Publisher: atLeast(author, 2),
    PackageName: atLeast(title, 2),
    PackageUrl: page,
    License: 'Unknown',
    ShortDescription: atLeast(summary, 3),
    ManifestType: 'singleton',
    ManifestVersion: '1.6.0',
  }
  const installers = builds.map(([name, build]) => {
    const type = installerOf(build)
    return {
      Architecture: name,
      InstallerType: type === 'program' ? 'portable' : type,
      InstallerUrl: build.url,
      InstallerSha256: build.sha256.toUpperCase(),
    }
  })
  // Texts of JSON are texts of YAML, and no other text is one in all of its versions.
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
  const listed = installers.map((installer) => `  - ${JSON.stringify(installer)}\n`)
  return `${lines.join('')}Installers:\n${listed.join('')}`
}

const idPart = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_-]+/g, '')
    .slice(0, MOST_ID) || 'Slipway'

const atLeast = (text: string, least: number) => text.slice(0, MOST_SHORT).toWellFormed().padEnd(least, '.')

/** The project as `winget/{channel}/{slug}.yaml`. */
export const winget = oneDocument({
  name: (slug) => `${slug}.yaml`,
  type: 'text/yaml; charset=utf-8',
  suits: (file) => isForWindows(file) && !/\.zip$/i.test(file.filename),
  most: 1,
  print: printWinget,
})
