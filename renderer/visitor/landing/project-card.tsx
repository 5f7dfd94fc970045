import type { Project } from '../../../server/contract'
import { fillRoute, routes } from '../../../server/contract/routes'
import { formatShortQuantity } from '../../../server/texts/format'
import { PlatformIcon } from '../parts/file-icons'
import { ProjectIcon, Time } from '../parts/text'

/** Public projects in a list. */
export const ProjectCards = ({ projects, now }: { projects: readonly Project[]; now: Date }) => (
  <div className="cards">
    {projects.map((project) => (
      <ProjectCard key={project.project_id} project={project} now={now} />
    ))}
  </div>
)

/** The cover of a project. Decorative, because the title is below. */
function CardCover({ project }: { project: Project }) {
  const { cover } = project.pictures
  if (!cover) return null

  const sources = cover.sizes.map(({ url, width }) => `${url} ${width}w`).join(', ')
  const [smallest = cover] = cover.sizes

  return (
    <img
      className="card-cover"
      src={smallest.url}
      srcSet={sources}
      sizes="(max-width: 36em) 100vw, (max-width: 62em) 50vw, 360px"
      width={1200}
      height={630}
      alt=""
      loading="lazy"
      style={{ backgroundColor: cover.color }}
    />
  )
}

/** A public project. The whole card is its link. */
function ProjectCard({ project, now }: { project: Project; now: Date }) {
  const { title, slug, summary, owner, stats, platforms, updated_at } = project

  return (
    <article className="card project visitor">
      <CardCover project={project} />
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
          {formatShortQuantity(stats.total_downloads, 'download')} ·{' '}
          <Time value={updated_at} now={now} inSentence />
        </span>
      </p>
    </article>
  )
}
