import { readFromTar } from '../linux/tar-start.ts'
import { parseJson } from '../json-text.ts'
import { noFacts, readIndex, Unreadable, type Look } from '../look.ts'
import type { PackageFile } from '../package-file.ts'
import type { IndexOf } from '../../../contract/files/package-index'

/**
 * Fields of package.json that a registry repeats (npm docs, "package metadata", and those that
 * installing requires).
 */
const REPEATED = [
  ...['description', 'keywords', 'homepage', 'bugs', 'license', 'author', 'repository', 'funding'],
  ...['main', 'module', 'browser', 'types', 'type', 'exports', 'bin', 'directories', 'man'],
  ...[
    'dependencies',
    'devDependencies',
    'peerDependencies',
    'peerDependenciesMeta',
    'optionalDependencies',
  ],
  ...['bundleDependencies', 'bundledDependencies', 'engines', 'os', 'cpu', 'libc', 'deprecated'],
]
/** Far more than a field of package.json needs. A worker cannot send objects of 2,000 levels. */
const MOST_LEVELS = 100
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall']

/** npm removes the first folder of each path and ignores its name. */
const MANIFEST = /^[^/]+\/+package\.json$/

/** Reads package.json of an archive that npm installs. Null: another archive. */
export async function readNpmPackage(file: PackageFile): Promise<Look | null> {
  let isPacked = false
  const json = await readFromTar(file, (_, path) => {
    isPacked ||= path.startsWith('package/')
    return MANIFEST.test(path) ? 'take' : 'skip'
  }).catch((cause: unknown) => {
    if (cause instanceof Unreadable && !isPacked) return null
    throw cause
  })

  if (!json) return null
  const manifest = parseJson(json)
  if (typeof manifest !== 'object' || manifest === null) throw new Error('Not an object')

  const fields = new Map(Object.entries(manifest))
  const textOf = (key: string) => {
    const value: unknown = fields.get(key)
    return typeof value === 'string' ? value : null
  }

  const name = textOf('name')
  const facts = { ...noFacts('npm'), name, app_id: name, version: textOf('version') }
  const digests = await file.digests('sha512', 'sha1')

  return {
    facts,
    icon: null,
    index: readIndex(() => npmIndex(fields, name ?? '', facts.version ?? '', digests)),
  }
}

/** Throws Unreadable without a name or version that npm takes, and without digests. */
function npmIndex(
  fields: ReadonlyMap<string, unknown>,
  name: string,
  version: string,
  digests: readonly Buffer[] | undefined,
): IndexOf<'npm'> {
  const [sha512, sha1] = digests ?? []
  if (!sha512 || !sha1) throw new Unreadable('This package is too large for npm: over 256 MB.')

  if (
    !/^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(name) ||
    !/^\d+\.\d+\.\d+[\w.+-]*$/.test(version)
  )
    throw new Unreadable('This package has no name or version that npm accepts.')

  const scripts: unknown = fields.get('scripts')
  const hasScript = (script: string) =>
    typeof scripts === 'object' && scripts !== null && Object.hasOwn(scripts, script)
  const repeated = REPEATED.flatMap((key) =>
    fields.has(key) ? [[key, fields.get(key)] as const] : [],
  )
  if (repeated.some(([, value]) => isDeeperThan(MOST_LEVELS, value)))
    throw new Unreadable('The package.json of this package has more than 100 levels.')

  return {
    kind: 'npm',
    name,
    version,
    hasInstallScript: INSTALL_SCRIPTS.some(hasScript),
    sha512: sha512.toString('base64'),
    sha1: sha1.toString('hex'),
    manifest: Object.fromEntries(repeated),
  }
}

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((it) => isDeeperThan(levels - 1, it)))
