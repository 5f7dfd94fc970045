import type { Project } from '../../../server/contract'
import { fillRoute, routes } from '../../../server/contract/routes'
import { formatCount } from '../../../server/texts/format'
import { PlatformIcon } from '../parts/icons'
import { ProjectIcon, Time } from '../parts/text'

/** A public project in a list. The whole card is its link. */
export function ProjectCard({ project, now }: { project: Project; now: Date }) {
  const { title, slug, summary, owner, stats, platforms, updated_at } = project
  return (
    <article className="card project visitor">
      <div className="head">
        <ProjectIcon project={project} size={40} />
        <div className="names">
          <h3 className="cut">
            <a href={fillRoute(routes.publicProject, { slug })} title={title}>
              <bdi>{title}</bdi>
            </a>
          </h3>
          <p className="fine cut">by {owner}</p>
        </div>
      </div>
      {summary !== '' && <p className="text">{summary}</p>}
      <p className="fine row">
        <span className="platforms">
          {platforms.map((platform) => (
            <span key={platform} title={platform}>
              <PlatformIcon platform={platform} size={16} />
              <span className="hidden">{platform}</span>
            </span>
          ))}
        </span>
        <span className="cut">
          {formatCount(stats.total_downloads)} {stats.total_downloads === 1 ? 'download' : 'downloads'} ·{' '}
          <Time value={updated_at} now={now} inSentence />
        </span>
      </p>
    </article>
  )
}
