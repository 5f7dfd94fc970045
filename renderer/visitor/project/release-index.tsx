import type { Project, Release } from '../../../server/contract'
import { RELEASES_A_PAGE } from '../../../server/texts/release-address'
import { Time } from '../parts/text'
import { PartTitle, ReleaseBadges, ReleaseLinks } from './releases'

interface ReleaseIndexProps {
  project: Project
  /** One page of them, newest first. */
  releases: readonly Release[]
  total: number
  /** From 1. */
  page: number
  base: string
  now: Date
}

/** All releases of a project, page by page. */
export function ReleaseIndex({ project, releases, total, page, base, now }: ReleaseIndexProps) {
  const pages = Math.ceil(total / RELEASES_A_PAGE)
  return (
    <article className="project-page">
      <PartTitle project={project} base={base}>
        <h1>
          Releases of <bdi>{project.title}</bdi>
        </h1>
      </PartTitle>
      {releases.map((release) => (
        <section key={release.version} className="release" aria-label={release.version}>
          <h2>
            <bdi>{release.version}</bdi> <ReleaseBadges release={release} />
          </h2>
          <p className="fine">
            <Time value={release.published_at ?? release.created_at} now={now} />
          </p>
          <ReleaseLinks release={release} project={project} base={base} />
        </section>
      ))}
      {releases.length === 0 && <p>There are no releases here.</p>}
      {pages > 1 && (
        <nav className="row" aria-label="Pages">
          {page > 1 ? <a href={`${base}/releases?page=${page - 1}`}>Newer releases</a> : <span />}
          <span>
            Page {page} of {pages}
          </span>
          {page < pages ? <a href={`${base}/releases?page=${page + 1}`}>Older releases</a> : <span />}
        </nav>
      )}
    </article>
  )
}
