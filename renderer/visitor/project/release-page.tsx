import { Time } from '../parts/text'
import type { PageProps } from './page-props'
import { PrimaryDownload } from './primary-download'
import { ReleaseFiles } from './project-page'
import { Proof } from './get-updates'
import { Notes, PartTitle, ReleaseBadges } from './releases'

/** The page of a release: its files and notes. */
export function ReleasePage(props: PageProps) {
  const { project, page, now, base, Written } = props
  const { release, file } = page
  if (!release) return null

  return (
    <article className="project-page">
      <PartTitle project={project} base={base}>
        <h1>
          <bdi>{project.title}</bdi> <bdi>{release.version}</bdi>
        </h1>
        <p className="byline">
          <ReleaseBadges release={release} />
          <Time value={release.published_at ?? release.created_at} now={now} />
          {release.state !== 'published' && <span>Visitors do not see this release.</span>}
        </p>
      </PartTitle>
      <div className="main">
        {file && <PrimaryDownload {...props} file={file} only={release.version} />}
        {release.notes === '' ? (
          <p>There are no notes for this version.</p>
        ) : (
          <Notes page={page} Written={Written} />
        )}
        <ReleaseFiles {...props} />
        <Proof {...props} />
        {release.total_files === 0 && <p>This release has no files.</p>}
        <p>
          <a href={`${base}/releases`}>All releases</a>
          {project.takes_reports && (
            <>
              {' · '}
              <a href={`${base}/report?version=${encodeURIComponent(release.version)}`}>
                Report a problem
              </a>
            </>
          )}
        </p>
      </div>
    </article>
  )
}
