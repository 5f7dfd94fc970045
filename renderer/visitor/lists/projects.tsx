import type { Project } from '../../../server/contract'
import { routes } from '../../../server/contract/routes'
import { formatWhole } from '../../../server/texts/format'
import { ProjectCard } from '../landing/project-card'
import { Nothing } from '../parts/text'
import { NoMatch, Pages } from './list-page'

/** Cards per page: fills rows of two or three. */
export const PROJECTS_A_PAGE = 60

/** The texts of the page. */
export const browsePage = {
  title: 'Browse projects',
  description: 'What people publish on this host. Choose a project to download it.',
  path: routes.browse,
  label: 'Search projects',
}

export const projectCount = (total: number): string =>
  total === 0 ? '' : total === 1 ? '1 project' : `${formatWhole(total)} projects`

interface PublicProjectsProps {
  projects: readonly Project[]
  total: number
  search: string
  page: number
  now: Date
}

/** A page of the public projects that match a search. */
export function PublicProjects({ projects, total, search, page, now }: PublicProjectsProps) {
  if (total === 0 && search.trim() === '')
    return (
      <Nothing
        title="No public projects yet"
        text="As soon as someone on this host makes a project public, it appears here."
      />
    )
  if (total === 0)
    return (
      <NoMatch
        path={routes.browse}
        search={search}
        title="No project matches"
        text="The search looks at titles and short descriptions. Try a shorter word."
      />
    )
  return (
    <>
      <h2 className="hidden">Projects</h2>
      <div className="cards">
        {projects.map((project) => (
          <ProjectCard key={project.project_id} project={project} now={now} />
        ))}
      </div>
      <Pages path={routes.browse} search={search} page={page} pageSize={PROJECTS_A_PAGE} total={total} />
    </>
  )
}
