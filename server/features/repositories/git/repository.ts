import {
  addCommits,
  printRepository,
  type History,
} from '../../../libraries/git-history/git-history'
import { audienceKey, hasChannel, type Deps, type Repository, type Request } from '../repository'
import { newestOf, readFeed, type Document } from '../updaters/feed'
import type { TapState } from './tap-histories'

/**
 * Placeholder for the project's address in stored states: each address of the host has its own
 * commits.
 */
const PLACE = { address: 'https://slipway.invalid', base: '/-' } as const
const IN_PLACE = PLACE.address + PLACE.base

/** The latest version of a repository. */
interface Tap {
  states: readonly TapState[]
  history: History
  documents: ReadonlyMap<string, string | Buffer>
}

/**
 * Serves a document as the only file of a read-only Git repository, `{channel}.git`: a tap of
 * Homebrew, a bucket of Scoop.
 */
export const asGit =
  (document: Document, folder: string): Repository =>
  async (deps, request) => {
    const [name = '', ...path] = request.path
    const [, channel] = /^(.+)\.git$/.exec(name) ?? []
    if (channel === undefined || !hasChannel(deps, request.audience, channel)) return undefined

    const { states, documents } = await readTap(deps, request, channel, { document, folder })
    const content = documents.get(path.join('/'))
    const at = states.at(-1)?.at
    if (content === undefined || at === undefined) return undefined

    const type =
      typeof content === 'string' ? 'text/plain; charset=utf-8' : 'application/octet-stream'
    return { type, content, modifiedAt: new Date(at * 1000) }
  }

function readTap(
  deps: Deps,
  request: Request,
  channel: string,
  of: { document: Document; folder: string },
): Promise<Tap> {
  const { built, histories } = deps.repositories
  const { audience, address } = request
  // `projectOf` parses this key.
  const key = `git/${of.folder}/${audienceKey(audience)}/${channel}`
  const page = new URL(audience.base, address).href

  return built.get<Tap>(`${key} ${page}`, async (before) => {
    const states = await histories.add(key, await describeState(deps, request, channel, of))
    const older = before?.states ?? []
    const isLonger = states.length >= older.length && older.every((state, n) => state === states[n])
    if (before && isLonger && states.length === older.length) return before

    const commits = (isLonger ? states.slice(older.length) : states).map(
      ({ content, version, ...rest }) => ({
        ...rest,
        content: content.replaceAll(IN_PLACE, () => page),
        message: version,
      }),
    )

    const history = await addCommits(
      (isLonger && before?.history) || { tip: undefined, objects: new Map() },
      commits,
    )

    return {
      states,
      history,
      documents: states.length === 0 ? new Map() : printRepository(history),
    }
  })
}

async function describeState(
  deps: Deps,
  { audience, source }: Request,
  channel: string,
  { document, folder }: { document: Document; folder: string },
): Promise<TapState> {
  const place = { audience: { ...audience, base: PLACE.base }, address: PLACE.address, source }
  const feed = await readFeed(deps, place, channel, document)

  const [newest] = newestOf(feed)
  return {
    at: newest ? Math.floor(Date.parse(newest.publishedAt) / 1000) : 0,
    version: newest?.release ?? 'No release',
    path: `${folder}/${document.name(feed.slug)}`,
    content: document.print(feed) ?? '',
  }
}
