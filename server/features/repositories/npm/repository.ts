import parse from 'semver/functions/parse.js'
import { isOn } from '../../projects/release-store'
import type { Audience } from '../../releases/audience'
import { answerFrom } from '../answer'
import { inSlice } from '../../../core/time-slices'
import { belongsToProject, listPackages, recordsOf, type Package } from '../packages'
import { audienceKey, elsewhere, findInPool, type Printed, type Repository } from '../repository'
import { printPackument } from './print'
import { printSummaries, searchSummaries } from './search'

/** The document that searches read; no package has such a name. */
const ALL = '-/all.json'
/** Old npm packages have capital letters. */
const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i

/**
 * Serves the project as an npm registry, with a `dist-tag` for each channel; `latest` is stable.
 * Redirects npm to the registry in the host's settings for names of other packages: npm takes all
 * names without a scope from one registry.
 */
export const npm: Repository = async (deps, { audience, path, query, address }) => {
  if (path[0] === 'pool') return findInPool(audience, path.slice(1))

  const service = /^-\/(ping|v1\/search|package\/(.+)\/dist-tags)$/.exec(path.join('/'))
  if (service?.[1] === 'ping') return { type: 'application/json', content: '{}' }

  const find = (document: string) =>
    answerFrom(deps, document, {
      key: `npm/${audienceKey(audience)}`,
      address,
      list: async (isBuiltFrom) => {
        const listed = await listPackages(deps, audience, { kind: 'npm', identify })
        if (isBuiltFrom([audience.project, ...recordsOf(listed)])) return undefined
        const packages = groupVersions(audience, listed)
        return { content: packages, print: () => print(packages, address) }
      },
    })

  if (service?.[1] === 'v1/search') {
    const all = await find(ALL)
    return all && 'content' in all
      ? { type: all.type, content: searchSummaries(String(all.content), query) }
      : undefined
  }

  const name = service?.[2] ?? path.join('/')
  const packument = await find(`${name}.json`)

  if (service)
    return packument && 'content' in packument
      ? { ...packument, content: tagsIn(packument) }
      : undefined
  if (packument) return packument

  const [, of = '', tarball = ''] = /^(.+?)(\/-\/[\w.+~-]+\.tgz)?$/.exec(name) ?? []
  if (!NAME.test(of) || (await belongsToProject(deps, audience, of))) return undefined
  return elsewhere(deps.data.settings.get().npm_registry, `${of}${tarball}`)
}

const tagsIn = ({ content }: Printed): string =>
  JSON.stringify((JSON.parse(String(content)) as { 'dist-tags': object })['dist-tags'])

async function print(packages: ReturnType<typeof groupVersions>, address: string) {
  const documents = new Map([[ALL, await inSlice(() => printSummaries(packages))]])
  for (const { name, versions, tags } of packages) {
    const packument = await inSlice(() => printPackument(name, versions, new Map(tags), address))
    documents.set(`${name}.json`, packument)
  }
  return documents
}

function identify({ name, version: text }: Package<'npm'>['index']): string | undefined {
  const version = parse(text)?.version
  return version === undefined ? undefined : `${name}@${version}`
}

/** Groups the versions of each package, newest first. */
function groupVersions(audience: Audience, packages: readonly Package<'npm'>[]) {
  return [...Map.groupBy(packages, ({ index }) => index.name)].map(([name, listed]) => {
    const versions = listed.map(({ index, release, path, size, sha256 }) => ({
      index,
      path,
      size,
      sha256,
      version: parse(index.version)?.version ?? '',
      addedAt: release.publishedAt ?? release.createdAt,
    }))

    const newestOn = (channel: string) =>
      versions[listed.findIndex(({ release }) => isOn(channel, release))]?.version

    const past =
      audience.actor.kind === 'tester'
        ? [audience.actor.channel]
        : (audience.project.pastChannels ?? [])
    const channels = new Set([...listed.map(({ release }) => release.channel), ...past])

    const latest = newestOn('stable') ?? versions[0]?.version ?? ''
    const tags = [...channels].map((channel): [string, string] => [
      channel,
      newestOn(channel) ?? latest,
    ])

    return { name, versions, tags: [...tags, ['latest', latest] as [string, string]] }
  })
}
