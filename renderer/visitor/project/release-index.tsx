import type { Release } from '../../../server/contract'
import { formatDate, formatFiles, formatWhole, cutText } from '../../../server/texts/format'
import { releaseAddress, RELEASES_A_PAGE } from '../../../server/texts/release-address'
import { CopyButton } from '../parts/send'
import { Time } from '../parts/text'
import type { PageProps } from './page-props'
import { PartTitle, ReleaseBadges, ReleaseLinks } from './releases'

export interface ReleaseIndexProps extends Omit<PageProps, 'page' | 'slots'> {
  /** One page of them, newest first. */
  releases: readonly Release[]
  total: number
  /** The version that the visitor has, and how many releases are above it. */
  since: { version: string; count: number } | undefined
  /** From 1. */
  page: number
}

/** The changelog of a project: notes and files of all its releases, page by page. */
export function ReleaseIndex(props: ReleaseIndexProps) {
  const { project, releases, total, since, page, base } = props

  return (
    <article className="project-page">
      <PartTitle project={project} base={base}>
        <h1>
          Releases of <bdi>{project.title}</bdi>
        </h1>
      </PartTitle>
      <div className="changelog">
        {releases.length > 0 && <Versions releases={releases} />}
        <div className="changes">
          {since && <Since {...props} since={since} />}
          {releases.map((release, index) => (
            <Change
              key={release.version}
              {...props}
              release={release}
              place={(page - 1) * RELEASES_A_PAGE + index}
            />
          ))}
          {releases.length === 0 && (
            <p>{total === 0 ? 'There are no releases yet.' : 'There are no releases here.'}</p>
          )}
          <Pages {...props} />
        </div>
        <Follow {...props} />
      </div>
    </article>
  )
}

/** The id of a release on the page: its version without blanks. */
const idOf = ({ version }: Release) => `v-${encodeURIComponent(version.toWellFormed())}`

const Versions = ({ releases }: Pick<ReleaseIndexProps, 'releases'>) => (
  <nav className="versions" aria-label="Versions">
    {releases.map((release) => (
      <a key={release.version} href={`#${idOf(release)}`}>
        <bdi>{release.version}</bdi>
      </a>
    ))}
  </nav>
)

const Since = ({
  since: { version, count },
  base,
}: Pick<ReleaseIndexProps, 'base'> & { since: SinceVersion }) => (
  <div className="since" role="note">
    <p className="prose">
      <b>
        Since <bdi>{version}</bdi>, the one you have
      </b>
    </p>
    <p>
      {count === 0 && 'Nothing is newer. '}
      {count === 1 && 'One version is newer. '}
      {count > 1 && `${formatWhole(count)} versions are newer. `}
      {count > 0 && <a href={base}>Get the newest</a>}
    </p>
  </div>
)
type SinceVersion = NonNullable<ReleaseIndexProps['since']>

type ChangeProps = ReleaseIndexProps & {
  release: Release
  /** In the whole list, from 0. */
  place: number
}

function Change({ release, place, ...props }: ChangeProps) {
  const { releases, since, page, base, now, Written } = props
  const { version, total_files: count } = release
  const isLatest =
    page === 1 &&
    releases.find(({ channel, state }) => channel === 'stable' && state === 'published') === release
  const isKnown = since !== undefined && place >= since.count
  const date = release.published_at ?? release.created_at
  const notes = beginningOf(release.notes)

  return (
    <section
      id={idOf(release)}
      className="change"
      aria-label={version}
      data-known={isKnown || undefined}
    >
      <h2>
        <a href={releaseAddress(base, version)}>
          <bdi>{version}</bdi>
        </a>
        {isLatest && <span className="badge latest">Latest</span>}
        <ReleaseBadges release={release} />
        {since && (
          <span className={isKnown ? 'badge' : 'badge latest'}>
            {isKnown ? knownWords(version, since) : 'New'}
          </span>
        )}
      </h2>
      <p className="fine">
        {formatDate(date)} · <Time value={date} now={now} inSentence />
      </p>
      {notes === '' ? <p className="fine">No notes.</p> : <Written text={notes} />}
      {notes !== release.notes && (
        <p>
          <a href={releaseAddress(base, version)}>
            All notes of <bdi>{version}</bdi>
          </a>
        </p>
      )}
      {count > 0 && (
        <details open={isLatest || place === 0}>
          <summary>
            {formatFiles(count)} of <bdi>{version}</bdi>
          </summary>
          <ReleaseLinks {...props} release={release} hasNotes />
        </details>
      )}
    </section>
  )
}

const knownWords = (version: string, since: SinceVersion) =>
  version === since.version ? 'You have this' : 'Older'

/** Characters of the notes of each release: a page has twenty. */
const MOST_NOTES = 3000

/** The first paragraphs of long notes. */
/** Cuts notes that are too long for a list. */
export function beginningOf(notes: string): string {
  if (notes.length <= MOST_NOTES) return notes
  const end = notes.lastIndexOf('\n\n', MOST_NOTES)
  return end > 0 ? notes.slice(0, end) : cutText(notes, MOST_NOTES)
}

function Pages({ total, page, base, since }: ReleaseIndexProps) {
  const pages = Math.ceil(total / RELEASES_A_PAGE)
  if (pages < 2) return null

  const from = since ? `&from=${encodeURIComponent(since.version.toWellFormed())}` : ''
  const href = (number: number) => `${base}/releases?page=${number}${from}`

  return (
    <nav className="row" aria-label="Pages">
      {page > 1 ? <a href={href(page - 1)}>Newer releases</a> : <span />}
      <span>
        Page {page} of {pages}
      </span>
      {page < pages ? <a href={href(page + 1)}>Older releases</a> : <span />}
    </nav>
  )
}

const FEEDS = [
  ['Atom feed', 'atom.xml'],
  ['JSON Feed', 'feed.json'],
] as const

/** New releases and updates in a feed reader. */
const Follow = ({ base, programBase = base, host, tester }: ReleaseIndexProps) => (
  <section className="follow" aria-labelledby="follow">
    <h2 id="follow">Follow</h2>
    <p className="fine">Add one of these addresses to a feed reader to hear of new versions.</p>
    {FEEDS.map(([name, file]) => (
      <p key={file} className="row">
        <a href={`${programBase}/feeds/${file}`}>{name}</a>
        {tester === undefined && (
          <CopyButton
            value={`${host.url}${base}/feeds/${file}`}
            label="Copy"
            what={`the address of the ${name}`}
          />
        )}
      </p>
    ))}
  </section>
)
