import { cutText } from '../../../texts/format'
import {
  audienceKey,
  hasChannel,
  type Deps,
  type Printed,
  type Repository,
  type Request,
} from '../repository'
import { json, newestOf, oneDocument, readFeed, type Build, type Feed } from './feed'
import { chooseBuilds, installerOf } from './windows'

const ARCHITECTURES = ['x64', 'x86', 'arm64', 'arm']
const ORDER = ['msix', 'appx', 'msixbundle', 'appxbundle', 'msi', 'exe']
/** The most characters of parts of an id in schema 1.6.0. */
const MOST_ID = 32
const MOST_SHORT = 256
/** The most characters of a command or moniker. */
const MOST_NAME = 40
/** The most versions in a source. */
const MOST_VERSIONS = 20
/**
 * Versions of the REST API whose fields we send
 * (https://github.com/microsoft/winget-cli-restsource, documentation).
 */
const API_VERSIONS = ['1.0.0', '1.1.0', '1.4.0', '1.5.0', '1.6.0', '1.7.0', '1.9.0', '1.10.0']

/**
 * Prints a manifest of winget, schema 1.6.0, in one file. Returns undefined if winget accepts
 * neither the version nor any file.
 */
export function printWinget(feed: Feed): string | undefined {
  const [version] = versionsOf({ ...feed, builds: newestOf(feed) })
  if (!version) return undefined

  const { Moniker: _, PackageLocale, ...locale } = version.DefaultLocale
  const fields = {
    PackageIdentifier: identify(feed),
    PackageVersion: version.PackageVersion,
    PackageLocale,
    ...locale,
    ManifestType: 'singleton',
    ManifestVersion: '1.6.0',
  }

  // JSON strings are YAML strings, and the only ones that all versions of YAML read alike.
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
  const listed = version.Installers.map((installer) => `  - ${JSON.stringify(installer)}\n`)

  return `${lines.join('')}Installers:\n${listed.join('')}`
}

/** A project in a source of winget, with the names of its schema. */
export interface WingetPackage {
  PackageIdentifier: string
  /** Newest first. At least one. */
  Versions: readonly Version[]
}
type Version = ReturnType<typeof versionsOf>[number]

/**
 * Describes a project for a source of winget. Returns undefined if winget accepts neither the
 * version nor any file.
 */
export function describePackage(feed: Feed): WingetPackage | undefined {
  const Versions = versionsOf(feed)
  return Versions.length === 0 ? undefined : { PackageIdentifier: identify(feed), Versions }
}

function versionsOf(feed: Feed) {
  const releases = [...Map.groupBy(feed.builds, ({ release }) => release)]
  return releases.flatMap(([release, builds]) => {
    const chosen = [...chooseBuilds({ ...feed, builds }, ORDER)].filter(([name]) =>
      ARCHITECTURES.includes(name),
    )
    if (chosen.length === 0 || !/^[^\\/:*?"<>|]{1,128}$/.test(release)) return []
    const Installers = chosen.map(([name, build]) => describeInstaller(feed, name, build))
    return [{ PackageVersion: release, DefaultLocale: describeProject(feed), Installers }]
  })
}

const describeProject = ({ title, summary, author, page, slug }: Feed) => ({
  PackageLocale: 'en-US',
  Publisher: atLeast(author, 2),
  PackageName: atLeast(title, 2),
  PackageUrl: page,
  License: 'Unknown',
  ShortDescription: atLeast(summary, 3),
  Moniker: slug.slice(0, MOST_NAME),
})

function describeInstaller({ slug }: Feed, Architecture: string, build: Build) {
  const type = installerOf(build)
  return {
    Architecture,
    InstallerType: type === 'program' ? 'portable' : type,
    InstallerUrl: build.url,
    InstallerSha256: build.sha256.toUpperCase(),
    // Otherwise winget names the command after the file, whose name changes with each version.
    ...(type === 'program' && { Commands: [slug.slice(0, MOST_NAME)] }),
  }
}

const identify = ({ author, slug }: Feed) => `${idPart(author)}.${idPart(slug)}`

const idPart = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_-]+/g, '')
    .slice(0, MOST_ID) || 'Slipway'

const atLeast = (text: string, least: number) => cutText(text, MOST_SHORT).padEnd(least, '.')

const manifest = oneDocument({
  name: (slug) => `${slug}.yaml`,
  type: 'text/yaml; charset=utf-8',
  most: 1,
  reads: ['details'],
  print: printWinget,
})

/**
 * Serves the project as `winget/{channel}/{slug}.yaml`, and as a REST source at `winget/{channel}`.
 */
export const winget: Repository = async (deps, request) =>
  (await manifest(deps, request)) ?? answerAsSource(deps, request)

async function answerAsSource(
  deps: Deps,
  request: Request,
): Promise<Printed | 'nothing' | undefined> {
  const { audience, path } = request
  const [channel = '', call, id, ...more] = path
  if (more.length > 0 || !hasChannel(deps, audience, channel)) return undefined

  const reply = (Data: unknown) => ({ type: 'application/json', content: json({ Data }) })
  if (call === 'information' && id === undefined) {
    // The same at all addresses of the host: winget remembers the source of each program.
    const SourceIdentifier = `Slipway.${audience.project.id}.${channel}`
    return reply({ SourceIdentifier, ServerSupportedVersions: API_VERSIONS })
  }

  if (call !== 'packageManifests' || id === undefined) return undefined
  const candidate = await readPackage(deps, request, channel)
  // winget reports 404 as a broken source.
  return candidate?.PackageIdentifier.toLowerCase() === id.toLowerCase()
    ? reply(candidate)
    : 'nothing'
}

/** Reads the package in the source of a channel. */
export function readPackage(
  deps: Deps,
  request: Pick<Request, 'audience' | 'address' | 'source'>,
  channel: string,
): Promise<WingetPackage | undefined> {
  const key = [
    'winget',
    channel,
    audienceKey(request.audience),
    request.audience.base,
    request.address,
  ].join(' ')

  return deps.repositories.built.get(key, async () =>
    describePackage(
      await readFeed(deps, request, channel, { most: MOST_VERSIONS, reads: ['details'] }),
    ),
  )
}
