import type { ReactNode } from 'react'
import { formatDate } from '../../../server/contract/visitor/format'
import { chooseDownload } from '../../../server/contract/visitor/choose-download'
import { Monogram, Time, Website } from '../parts/text'
import { OtherFiles } from './other-files'
import type { ProjectPageProps } from './page-props'
import { PrimaryDownload } from './primary-download'
import { ProjectSidebar } from './project-sidebar'

/** The page that a creator sends to customers, for the server and the app. */
export function ProjectPage({ project, device, now, host, base, tester, posts, Written, slots }: ProjectPageProps) {
  const testerBase = tester && base
  const { primary, fits, others } = chooseDownload(project.downloads, device, tester !== undefined)
  return (
    <article className="project-page">
      <ProjectHeader project={project} tester={tester} manage={slots?.manage} />
      <div className="columns">
        <div className="main">
          {primary ? (
            <PrimaryDownload
              project={project}
              file={primary}
              misfit={fits ? undefined : device}
              now={now}
              slots={slots}
              testerBase={testerBase}
            />
          ) : (
            (slots?.nothing ?? (
              <Nothing title="Nothing to download yet" text="No file has been added yet. Come back later." />
            ))
          )}
          {others.length > 0 && (
            <OtherFiles project={project} files={others} now={now} slots={slots} testerBase={testerBase} />
          )}
          {project.description !== '' && (
            <section aria-labelledby="about">
              <h2 id="about">About</h2>
              <Written text={project.description} />
            </section>
          )}
        </div>
        <ProjectSidebar project={project} now={now} host={host} base={base} tester={tester} share={slots?.share} />
        <section className="updates" aria-labelledby="updates">
          <h2 id="updates">Latest updates</h2>
          {slots?.updates ?? <Updates posts={posts} now={now} Written={Written} />}
        </section>
      </div>
    </article>
  )
}

interface ProjectHeaderProps extends Pick<ProjectPageProps, 'project' | 'tester'> {
  manage: ReactNode
}

function ProjectHeader({ project, tester, manage }: ProjectHeaderProps) {
  const { title, short_description, owner, project_url, is_public } = project
  return (
    <header className="title">
      <Monogram name={title} size={56} />
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

function Updates({ posts, now, Written }: Pick<ProjectPageProps, 'posts' | 'now' | 'Written'>) {
  if (posts.length === 0)
    return <Nothing level="h3" title="No updates yet" text="News about this project will appear here." />
  return posts.map(({ author, content, createdAt, updatedAt }) => (
    <article key={createdAt} className="card update" aria-label={`Update by ${author}`}>
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

const Nothing = ({ level: Level = 'h2', title, text }: { level?: 'h2' | 'h3'; title: string; text: string }) => (
  <div className="nothing">
    <Level>{title}</Level>
    <p>{text}</p>
  </div>
)
