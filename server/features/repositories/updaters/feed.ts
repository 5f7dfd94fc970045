import { xmlText } from '../../../texts/format'
import { oneLine } from '../../../contract/unseen'
import type { ReleaseRecord } from '../../../data/records/project-records'
import type { FileRecord } from '../../../data/records/file-records'
import { extensionOf } from '../../../texts/filename'
import { architectureIn } from '../../../contract'
import type { Facts } from '../../../contract/files/facts'
import { inSlice } from '../../../core/time-slices'
import { readHtml, readText } from '../../releases/written-notes'
import { summarizeProject } from '../../projects/presenter'
import { buildReleasePath } from '../../releases/audience'
import { offeredFiles, readFacts, type Offered } from '../packages'
import {
  audienceKey,
  hasChannel,
  type Deps,
  type Printed,
  type Repository,
  type Request,
} from '../repository'
import { readSignature, type Signature } from './signature'

/**
 * A file of a release, for an updater. No field has line ends, except `notes`, `html` and `text`.
 */
export interface Build {
  /** The name of the release. */
  release: string
  /** The version in the package, else that of the release. */
  version: string
  channel: string
  /** Markdown. */
  notes: string
  /** The notes as sanitized HTML, and as plain text; only if the feed prints them. */
  html: string
  text: string
  /** UTC ISO 8601. */
  publishedAt: string
  filename: string
  /** Extension of the filename, in lower case. */
  extension: string
  url: string
  size: number
  sha256: string
  /** Empty: any, or unknown. */
  architectures: readonly string[]
  facts: NonNullable<FileRecord['facts']> | undefined
  /** All facts; only if the feed prints them. */
  details: Facts | undefined
  /** Name of the application in its package. */
  name: string | undefined
  /** The signature that the creator uploaded beside the file. */
  signature: Signature | undefined
  /** URL of the application's icon, a PNG. */
  icon: string | undefined
  /** In hexadecimal; only if the feed prints it. */
  sha1: string | undefined
}

/** A project, for an updater. No field has line ends. */
export interface Feed {
  slug: string
  title: string
  summary: string
  author: string
  /** URL of the project's page. */
  page: string
  /** Newest first. */
  builds: readonly Build[]
}

/** A document that exists once per channel. */
export interface Document {
  /** Returns the document's name in the folder of the channel. */
  name: (slug: string) => string
  type: string
  /** The most releases in the document. */
  most: number
  /**
   * What to read beyond the records: signatures, all facts with the application's name, SHA-1,
   * notes as HTML or as text.
   */
  reads?: readonly ('signature' | 'details' | 'sha1' | 'html' | 'text')[]
  /** Returns undefined if no build is usable. */
  print: (feed: Feed) => string | undefined
}

/** The most builds in a document. */
const MOST_BUILDS = 500
/** The most characters of a release's notes as text, and of all notes in a document. */
const MOST_TEXT = 4000
const MOST_NOTES = 500_000

/** Serves `{channel}/{name}`. Prints the document again only when the library has changed. */
export const oneDocument =
  (document: Document): Repository =>
  async (deps, request): Promise<Printed | undefined> => {
    const { audience, path } = request
    const [channel = '', name, ...more] = path
    const isKnown = more.length === 0 && name === document.name(audience.project.slug)
    if (!isKnown || !hasChannel(deps, audience, channel)) return undefined
    const key = [name, channel, audienceKey(audience), request.address].join(' ')
    const content = await deps.repositories.built.get(key, async () => {
      const feed = await readFeed(deps, request, channel, document)
      return inSlice(() => document.print(feed))
    })
    return content === undefined ? undefined : { type: document.type, content }
  }

/** Reads the builds of a channel for a document. */
export async function readFeed(
  deps: Deps,
  request: Pick<Request, 'audience' | 'address' | 'source'>,
  channel: string,
  document: Pick<Document, 'most' | 'reads'>,
): Promise<Feed> {
  const { project } = request.audience
  const builds: Build[] = []
  for (const offered of listOffered(request, channel, document.most))
    builds.push(await describeBuild(deps, request, document.reads ?? [], offered))

  return {
    slug: project.slug,
    title: oneLine(project.title),
    summary: oneLine(summarizeProject(project)) || oneLine(project.title),
    author: oneLine(deps.accounts.users.nameOf(project.ownerId)),
    page: new URL(request.audience.base, request.address).href,
    builds,
  }
}

/** Lists the files of the newest releases that a document prints. */
function listOffered(
  { audience, source }: Pick<Request, 'audience' | 'source'>,
  channel: string,
  most: number,
): Offered[] {
  const releases = new Set<ReleaseRecord>()
  const listed: Offered[] = []
  for (const offered of offeredFiles(audience, channel, source.takes)) {
    if (releases.add(offered.release).size > most || listed.length === MOST_BUILDS) break
    listed.push(offered)
  }

  return listed
}

async function describeBuild(
  deps: Deps,
  { audience, address }: Pick<Request, 'audience' | 'address'>,
  reads: readonly string[],
  { release, file, beside }: Offered,
): Promise<Build> {
  const facts = file.facts ?? undefined
  const signed = beside.get(`${file.filename}.sig`) ?? beside.get(`${file.filename}.edsig`)
  const details = reads.includes('details')
    ? ((await readFacts(deps, file)) ?? undefined)
    : undefined

  const ofName = architectureIn(file.filename)
  return {
    release: oneLine(release.version),
    version: oneLine(facts?.version ?? release.version),
    channel: release.channel,
    notes: xmlText(release.notes),
    html: reads.includes('html') ? xmlText(await readHtml(release, release.notes)) : '',
    text: reads.includes('text') ? await readText(release, release.notes, MOST_TEXT) : '',
    publishedAt: release.publishedAt ?? release.createdAt,
    filename: oneLine(file.filename),
    extension: extensionOf(file.filename),
    url: new URL(buildReleasePath(audience, release, file), address).href,
    size: file.size,
    sha256: file.sha256,
    architectures: facts?.architectures ?? (ofName === undefined ? [] : [ofName]),
    facts,
    details,
    name: details?.name == null ? undefined : oneLine(details.name),
    signature:
      signed && reads.includes('signature') ? await readSignature(deps, signed) : undefined,
    icon: facts?.hasIcon ? new URL(iconPath(audience, file), address).href : undefined,
    sha1: reads.includes('sha1') ? await deps.files.updates.sha1(file) : undefined,
  }
}

const iconPath = ({ actor, base }: Request['audience'], { id }: FileRecord) =>
  actor.kind === 'tester' ? `${base}/icons/${id}` : `/api/files/${id}/icon`

/** Returns a function that replaces notes with an empty text once a document has many. */
export function limitNotes(): (notes: string) => string {
  let left = MOST_NOTES
  return (notes) => {
    left -= notes.length
    return left < 0 ? '' : notes
  }
}

/** Returns the builds of the newest release of a feed. */
export const newestOf = ({ builds }: Feed): readonly Build[] =>
  builds.filter(({ release }) => release === builds[0]?.release)

/** Prints indented JSON. */
export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
