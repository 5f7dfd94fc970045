import type { Rooms } from '../../compose/context'
import type { FileRecord } from '../../data/records/file-records'
import type { Entrance } from '../releases/entrance'
import { releasesFor, type ListedRelease } from '../releases/listing'
import { isOn } from '../projects/release-store'

export type Deps = Rooms<'data' | 'files' | 'projects' | 'repositories'>

/** A document of a repository. */
export interface Printed {
  type: string
  content: string | Buffer
  /** When its content last changed. */
  modifiedAt?: Date
}

/** What is asked of a repository. */
export interface Request {
  entrance: Entrance
  /** The parts of the path below the repository, decoded. */
  path: readonly string[]
  /** The address of the repository: `https://host/p/rocket/feeds/apt`. */
  address: string
}

/** Answers requests for one kind of repository: with a document, with a file, or with undefined if there is none. */
export type Repository = (deps: Deps, request: Request) => Promise<Printed | FileRecord | undefined>

export type ListedFile = ListedRelease['files'][number]

/** The most releases in a repository, the newest ones, which bounds its index. */
const MOST_RELEASES = 200
/** The most files of each of them. */
const MOST_FILES = 20

/** A published file in a repository. */
export interface Offered {
  release: ListedRelease['release']
  file: FileRecord
}

/** Yields the files of the newest published releases of a channel that suit a repository, newest first. */
export function* offeredFiles(
  deps: Deps,
  { project, actor }: Entrance,
  channel: string,
  suits: (file: FileRecord) => boolean,
): Generator<Offered> {
  let count = 0
  for (const listed of releasesFor(deps, project, actor)) {
    const { release } = listed
    if (release.state !== 'published' || !isOn(channel, release)) continue
    const files = newestOfNames(listed).filter(suits).slice(0, MOST_FILES)
    for (const file of files) yield { release, file }
    if (files.length > 0 && ++count === MOST_RELEASES) return
  }
}

/** The files of a release that its addresses name: of several with one name, the newest. */
export function newestOfNames({ files }: Pick<ListedRelease, 'files'>): FileRecord[] {
  const names = new Set<string>()
  return files.flatMap(({ file }) => (names.size < names.add(file.filename).size ? [file] : []))
}

/** Whom a repository is for, as its contents differ: visitors, or the testers of a channel. */
export const audienceOf = ({ project, actor }: Entrance): string =>
  `${project.id}/${actor.kind === 'tester' ? `testers/${actor.channel}` : 'all'}`

/** Removes what would end a line of a feed. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ').trim()
