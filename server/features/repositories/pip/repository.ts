import type { FileRecord } from '../../../data/records/file-records'
import { answerFrom, hashOf } from '../answer'
import { inSlice } from '../../../core/time-slices'
import { belongsToProject, listPackages, recordsOf, type Package } from '../packages'
import { audienceKey, elsewhere, findInPool, hasChannel, type Repository } from '../repository'
import { JSON_TYPE, normalizeName, printNames, printWheels, type Wheel } from './print'
import { normalizeVersion } from './version'

/** Allowed names of packages. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,200}[a-z0-9])?$/

/**
 * Serves the project as indexes of Python packages (PEP 503, 691 and 658), one per channel.
 * Redirects pip to the index in the host's settings for names of other packages: with a second
 * index, pip would accept a stranger's package of the same name.
 */
export const pip: Repository = async (deps, { audience, path, address, accepts }) => {
  const [channel = '', first = '', ...rest] = path
  if (!hasChannel(deps, audience, channel)) return undefined

  const find = (document: string) =>
    answerFrom(deps, document, {
      key: `pip/${audienceKey(audience)}/${channel}`,
      list: async (isBuiltFrom) => {
        const packages = await listPackages(deps, audience, {
          kind: 'whl',
          channel,
          identify: wheelName,
        })
        if (isBuiltFrom(recordsOf(packages))) return undefined
        const content = await inSlice(() => listWheels(packages))
        return { content, print: () => inSlice(() => printPages(content)) }
      },
    })

  if (first === 'pool') return (await find(path.slice(1).join('/'))) ?? findInPool(audience, rest)

  const name = normalizeName(first)
  const isPage =
    name === '' ? rest.length === 0 : NAME.test(name) && rest.join('') === '' && rest.length < 2

  if (!isPage) return undefined
  // Addresses of files are relative to the folder.
  const canonical = name === '' ? [channel, ''] : [channel, name, '']
  if (path.join('/') !== canonical.join('/'))
    return { location: `${address}/${canonical.join('/')}` }

  const type = accepts('text/html', JSON_TYPE) === JSON_TYPE ? JSON_TYPE : 'text/html'
  const page = await find(`${name}/${type}`)
  if (page && 'type' in page) return { ...page, type: `${type}; charset=utf-8`, vary: 'Accept' }

  const isOwn = await belongsToProject(deps, audience, name)
  return isOwn ? undefined : elsewhere(deps.data.settings.get().python_index, `${name}/`)
}

interface Pages {
  wheels: [name: string, Wheel[]][]
  /** The metadata of each wheel, by its path. */
  metadata: [path: string, text: string][]
}

function listWheels(packages: readonly Package<'whl'>[]): Pages {
  const wheels = Map.groupBy(packages, ({ index }) => normalizeName(index.name))

  return {
    wheels: [...wheels].map(([name, listed]) => [
      name,
      listed.map(({ index, file, path, size, sha256 }) => ({
        path,
        size,
        sha256,
        filename: file.filename,
        version: index.version,
        requiresPython: index.requiresPython,
        uploadedAt: file.uploadedAt,
        metadataSha256: hashOf(index.metadata),
      })),
    ]),
    metadata: packages.map(({ index, release, file }) => [
      `pool/${release.version}/${file.filename}.metadata`,
      index.metadata,
    ]),
  }
}

/**
 * Returns the name of a wheel as pip reads it. Returns undefined if the filename and the metadata
 * disagree, because pip would reject the wheel.
 */
function wheelName(
  { name, version }: { name: string; version: string },
  { filename }: FileRecord,
): string | undefined {
  const [, named = '', ofVersion = ''] =
    /^([^-]+)-([^-]+)(?:-\d[^-]*)?-[^-]+-[^-]+-[^-]+\.whl$/.exec(filename) ?? []
  const isRight =
    normalizeName(named) === normalizeName(name) &&
    normalizeVersion(ofVersion) === normalizeVersion(version)
  return isRight ? filename : undefined
}

function printPages({ wheels, metadata }: Pages): Map<string, string> {
  const pages = [
    ...wheels.map(([name, listed]) => ({ name, page: printWheels(name, listed) })),
    { name: '', page: printNames(wheels.map(([name]) => name)) },
  ]

  return new Map([
    ...pages.flatMap(({ name, page }): [string, string][] => [
      [`${name}/text/html`, page.html],
      [`${name}/${JSON_TYPE}`, page.json],
    ]),
    ...metadata,
  ])
}
