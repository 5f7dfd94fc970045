import type { ReactNode } from 'react'
import type { Release } from '../../../server/contract'
import { channelWords } from '../../../server/texts/download-texts'
import { formatWhole } from '../../../server/texts/format'
import { releaseAddress } from '../../../server/texts/release-address'
import { ProjectIcon, Time } from '../parts/text'
import { FileLink, type Place } from './file-parts'
import type { PageProps } from './page-props'

/** Shows other channels without scripts. */
export function ChannelSwitch({ page: { channel, channels }, base }: PageProps) {
  const allChannels = channels.includes(channel) ? channels : [channel, ...channels]
  if (allChannels.length < 2) return null

  return (
    <nav className="channels" aria-label="Channels">
      {allChannels.map((name) => (
        <a
          key={name}
          href={`${base}?channel=${name}`}
          aria-current={name === channel ? 'page' : undefined}
        >
          {channelWords(name)}
        </a>
      ))}
    </nav>
  )
}

/** The notes of a release, or of all releases since a version. */
export function Notes({
  page,
  since,
  Written,
}: Pick<PageProps, 'page' | 'Written'> & { since?: string | undefined }) {
  const { release, notes } = page
  const text = since === undefined ? release?.notes : notes
  if (since === undefined && !text) return null

  return (
    <section aria-labelledby="notes">
      <h2 id="notes">
        What’s new {since === undefined ? 'in' : 'since'} <bdi>{since ?? release?.version}</bdi>
      </h2>
      {text ? <Written text={text} /> : <p>There are no notes.</p>}
    </section>
  )
}

/** The releases beside the one on top, folded. */
export function OtherReleases({ page, ...props }: PageProps) {
  const { base, now } = props
  const { releases, release, total_releases } = page
  const visibleCount = releases.length + (release ? 1 : 0)
  if (releases.length === 0 && total_releases <= visibleCount) return null

  return (
    <section aria-labelledby="releases">
      <div className="row">
        <h2 id="releases">Other releases</h2>
        {total_releases > visibleCount && (
          <a href={`${base}/releases`}>All {formatWhole(total_releases)} releases</a>
        )}
      </div>
      {releases.map((it) => (
        <details key={it.version} className="release">
          <ReleaseSummary release={it} now={now} />
          <ReleaseLinks {...props} release={it} />
        </details>
      ))}
    </section>
  )
}

const ReleaseSummary = ({ release, now }: { release: Release; now: Date }) => (
  <summary>
    <bdi>{release.version}</bdi>
    <ReleaseBadges release={release} />
    <span className="fine">
      <Time value={release.published_at ?? release.created_at} now={now} />
    </span>
  </summary>
)

/** The badges of a release: its channel, and its state for members. */
export const ReleaseBadges = ({ release: { channel, state } }: { release: Release }) => (
  <>
    {channel !== 'stable' && <span className="badge">{channelWords(channel)}</span>}
    {state !== 'published' && (
      <span className="badge" title="Only you and your collaborators see this release">
        {state === 'draft' ? 'Draft' : 'Withdrawn'}
      </span>
    )}
  </>
)

type LinksProps = Place & {
  release: Release
  /** Whether the notes are here, too: its page has more only if it has more files. */
  hasNotes?: boolean
}

/** The files of a release as rows, and its page. */
export function ReleaseLinks({ release, hasNotes = false, ...place }: LinksProps) {
  const { files, total_files, version } = release
  const isCut = files.length < total_files

  return (
    <>
      <ul className="file-links">
        {files.map((file) => (
          <FileLink key={file.file_id} {...place} file={file} files={files} />
        ))}
      </ul>
      {(isCut || !hasNotes) && (
        <p>
          <a href={releaseAddress(place.base, version)}>
            {isCut ? `All ${formatWhole(total_files)} files of ` : 'Notes and downloads of '}
            <bdi>{version}</bdi>
          </a>
        </p>
      )}
    </>
  )
}

interface PartTitleProps {
  project: PageProps['project']
  base: string
  children: ReactNode
}

/** The heading of a page below that of its project, with the way back. */
export function PartTitle({ project, base, children }: PartTitleProps) {
  return (
    <header className="title">
      <ProjectIcon project={project} size={56} />
      <div className="names">
        <p className="byline">
          <a href={base}>
            <bdi>{project.title}</bdi>
          </a>
        </p>
        {children}
      </div>
    </header>
  )
}
