import type { ReactNode } from 'react'
import { calls } from '../../../server/contract/calls'
import { formatDate, formatSize, formatWhole } from '../../../server/texts/format'
import { NO_ZIP } from '../../../server/texts/files/damaged-file'
import { releaseAddress } from '../../../server/texts/release-address'
import { ZipIcon } from '../parts/file-icons'
import { Monogram, Nothing, ProjectIcon, Time, Website } from '../parts/text'
import { FileTable } from './file-table'
import { Cover, Gallery } from './gallery'
import type { Kept, PageProps, ProjectPageProps } from './page-props'
import { PrimaryDownload } from './primary-download'
import { ProjectSidebar } from './project-sidebar'
import { GetUpdates } from './get-updates'
import { ChannelSwitch, Notes, OtherReleases } from './releases'

/** The page that a creator sends to customers, for the server and the app. */
export function ProjectPage(props: ProjectPageProps) {
  const { project, page, now, host, base, since, posts, Written, slots } = props

  return (
    <article className="project-page">
      <Cover cover={project.pictures.cover} />
      <ProjectHeader {...props} manage={slots?.manage} />
      <div className="columns">
        <div className="main">
          <ChannelSwitch {...props} />
          {page.file ? (
            <PrimaryDownload {...props} file={page.file} />
          ) : (
            (slots?.nothing ?? <NothingYet project={project} base={base} />)
          )}
          <Gallery screenshots={project.pictures.screenshots} />
          <Notes page={page} since={since} Written={Written} />
          {project.description !== '' && <About text={project.description} Written={Written} />}
          <ReleaseFiles {...props} />
          {props.tester?.device && (
            <props.tester.device.OwnDevice view={props.tester.device.view} now={now} />
          )}
          {props.tester?.notify && <props.tester.notify.Form view={props.tester.notify.view} />}
          <GetUpdates {...props} />
          <OtherReleases {...props} />
          <LooseFiles {...props} />
          {props.tester && <KeptOfTester {...props.tester.kept} now={now} />}
        </div>
        <ProjectSidebar
          project={project}
          now={now}
          host={host}
          base={base}
          tester={props.tester}
          hasBucket={page.from_bucket.length > 0}
          Code={props.Code}
          slots={slots}
        />
        {(slots !== undefined || posts.length > 0) && (
          <section className="updates" aria-labelledby="updates">
            <h2 id="updates">News</h2>
            {slots?.updates ?? <Updates posts={posts} now={now} Written={Written} />}
          </section>
        )}
      </div>
    </article>
  )
}

/** A closed beta leads to its form. */
const NothingYet = ({ project, base }: Pick<PageProps, 'base' | 'project'>) =>
  project.takes_requests ? (
    <Nothing
      title="Only for testers so far"
      text="Ask for access, and you get a page with the downloads when you are approved."
      action={
        <a className="button medium" href={`${base}/access`}>
          Ask for access
        </a>
      }
    />
  ) : (
    <Nothing title="Nothing to download yet" text="No file has been added yet. Come back later." />
  )

/** Letters of a description that would push the files out of sight. */
const LONG = 1200

/** The description; a long one is folded, also without JavaScript. */
function About({ text, Written }: Pick<PageProps, 'Written'> & { text: string }) {
  const isLong = text.length > LONG

  return (
    <section aria-labelledby="about" className={isLong ? 'folded' : ''}>
      <h2 id="about">About</h2>
      <Written text={text} />
      {isLong && (
        <label className="button quiet small">
          <input type="checkbox" className="hidden" />
          Show all
        </label>
      )}
    </section>
  )
}

/** Says what the people of a project see of a tester, who can remove it. */
const KeptOfTester = ({ took, said, device, hasOthers, forget, now }: Kept & { now: Date }) => (
  <section aria-labelledby="kept">
    <h2 id="kept">What this link records</h2>
    <p>
      The project team sees which version was downloaded with this link, for which system and when,
      and when the link was last used.
    </p>
    {took.length + said.length === 0 && !device ? (
      !hasOthers && <p className="dimmed">Nothing is recorded yet.</p>
    ) : (
      <>
        <ul>
          {said.map((text) => (
            <li key={text} className="prose">
              You wrote: <bdi>{text}</bdi>
            </li>
          ))}
          {device && (
            <li>
              Identifier of an {device.model}, <Time value={device.at} now={now} inSentence />
            </li>
          )}
          {took.map(({ version, platform, at }) => (
            <li key={`${version} ${platform ?? ''}`}>
              <bdi>{version}</bdi>
              {platform !== null && ` for ${platform}`}, <Time value={at} now={now} inSentence />
            </li>
          ))}
        </ul>
        <form method="post" action={forget}>
          <button type="submit" className="button quiet small">
            Remove these records
          </button>
        </form>
      </>
    )}
    {hasOthers && (
      <p className="dimmed">
        Other devices have sent their identifiers. To remove one, open this page on that device. The
        project owner can remove all of them.
      </p>
    )}
  </section>
)

type HeaderProps = Pick<PageProps, 'base' | 'project' | 'tester'> & { manage: ReactNode }

function ProjectHeader({ base, project, tester, manage }: HeaderProps) {
  const { title, short_description, owner, project_url, is_public } = project

  return (
    <header className="title">
      <ProjectIcon project={project} size={56} />
      <div className="names">
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {short_description !== '' && (
          <p className="prose">
            <bdi>{short_description}</bdi>
          </p>
        )}
        <p className="byline">
          <span>
            by <strong>{owner}</strong>
          </span>
          {project_url !== null && <Website address={project_url} />}
          {project.takes_reports && <a href={`${base}/report`}>Report a problem</a>}
          {project.takes_requests && <a href={`${base}/access`}>Ask for access</a>}
          {!is_public && !tester && (
            <span className="badge" title="Only you and its collaborators see this page">
              Private
            </span>
          )}
        </p>
        {tester && (
          <p className="byline">
            <span>
              For testers: <bdi>{tester.name}</bdi> · until {formatDate(tester.until)}
            </span>
          </p>
        )}
      </div>
      {manage}
    </header>
  )
}

/**
 * The files of the release on top, but the one on top. Without one for this device, all of several.
 */
export function ReleaseFiles({ page, ...props }: PageProps) {
  const { release, file } = page
  const isOnTop = page.fits || release?.files.length === 1
  const files = release?.files.filter(({ file_id }) => !isOnTop || file_id !== file?.file_id) ?? []
  if (!release || files.length === 0) return null
  const isCut = release.files.length < release.total_files

  return (
    <FileTable
      {...props}
      id="release-files"
      title={`${file && isOnTop ? 'Other files' : 'Files'} of ${release.version}`}
      files={files}
      all={release.files}
      fromBucket={page.from_bucket}
      more={
        isCut && (
          <p>
            <a href={releaseAddress(props.base, release.version)}>
              All {formatWhole(release.total_files)} files of <bdi>{release.version}</bdi>
            </a>
          </p>
        )
      }
    />
  )
}

/** The files without a release, and all files as a zip. */
function LooseFiles({
  page: { files, from_bucket: fromBucket, ...page },
  ...props
}: ProjectPageProps) {
  const hasZip = props.project.total_files > 1 && props.tester === undefined
  const downloadAll = hasZip && <WholeZip project={props.project} page={page} />
  if (files.length === 0) return downloadAll && <p>{downloadAll}</p>

  return (
    <FileTable
      {...props}
      id="other-files"
      title="Other files"
      files={files}
      fromBucket={fromBucket}
      action={downloadAll}
    />
  )
}

interface WholeZipProps {
  project: ProjectPageProps['project']
  page: Pick<ProjectPageProps['page'], 'total_size' | 'has_damaged'>
}

function WholeZip({ project, page: { total_size, has_damaged } }: WholeZipProps) {
  if (has_damaged) return <span className="fine">{NO_ZIP}</span>

  return (
    <a
      className="button quiet small wrap"
      download
      href={calls.projects.downloadAll.path.replace(':id', project.project_id)}
    >
      <ZipIcon size={16} /> Download all {formatWhole(project.total_files)} files (
      {formatSize(total_size)} zip)
    </a>
  )
}

function Updates({ posts, now, Written }: Pick<ProjectPageProps, 'posts' | 'now' | 'Written'>) {
  return posts.map(({ author, content, createdAt, updatedAt }) => (
    <article key={createdAt} className="card update" aria-label={`Post by ${author}`}>
      <div className="head">
        <Monogram name={author} size={32} />
        <b className="cut">{author}</b>
        <span className="fine">
          <Time value={createdAt} now={now} />
          {updatedAt !== createdAt && ' · edited'}
        </span>
      </div>
      <Written text={content} small />
    </article>
  ))
}
