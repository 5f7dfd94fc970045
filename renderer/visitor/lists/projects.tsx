import type { Project } from '../../../server/contract'
import { PLATFORMS, type Platform } from '../../../server/contract/files/platforms'
import { PROJECT_ORDERS, type ProjectOrder } from '../../../server/contract/projects/page-query'
import { routes } from '../../../server/contract/routes'
import { formatQuantity } from '../../../server/texts/format'
import { ProjectCards } from '../landing/project-card'
import { PlatformIcon } from '../parts/file-icons'
import { Nothing } from '../parts/text'
import { listHref, NoMatch, Pages } from './list-page'

/** Cards per page: fills rows of two or three. */
export const PROJECTS_A_PAGE = 60

/** The texts of the page. */
export const browsePage = {
  title: 'Browse projects',
  description: 'What people publish on this host. Choose a project to download it.',
  path: routes.browse,
  label: 'Search projects',
}

const ORDERS: Record<ProjectOrder, string> = {
  newest: 'Newest',
  release: 'Newest release',
  downloads: 'Most downloads',
  name: 'Name',
}

export const projectCount = (total: number): string =>
  total === 0 ? '' : formatQuantity(total, 'project')

/** Which projects the page shows. */
interface ProjectSearch {
  search: string
  sort: ProjectOrder
  /** Undefined: all. */
  platform: Platform | undefined
}

/** Links to the other orders, and to the projects of each platform. */
export function ProjectOptions({ search, sort, platform }: ProjectSearch) {
  const linkTo = (
    change: { sort?: ProjectOrder; platform?: Platform | undefined },
    isCurrent: boolean,
  ) => ({
    href: listHref(routes.browse, { q: search, sort, platform, ...change }),
    'aria-current': isCurrent ? ('true' as const) : undefined,
  })

  return (
    <div className="options">
      <nav aria-label="Platform">
        <a {...linkTo({ platform: undefined }, platform === undefined)}>All</a>
        {PLATFORMS.map((name) => (
          <a key={name} {...linkTo({ platform: name }, name === platform)}>
            <PlatformIcon platform={name} size={16} />
            {name}
          </a>
        ))}
      </nav>
      <nav aria-label="Order">
        {PROJECT_ORDERS.map((name) => (
          <a key={name} {...linkTo({ sort: name }, name === sort)}>
            {ORDERS[name]}
          </a>
        ))}
      </nav>
    </div>
  )
}

interface PublicProjectsProps extends ProjectSearch {
  projects: readonly Project[]
  total: number
  page: number
  now: Date
}

/** A page of the public projects that match a search. */
export function PublicProjects({
  projects,
  total,
  search,
  sort,
  platform,
  page,
  now,
}: PublicProjectsProps) {
  const text = search.trim()
  if (total === 0 && text === '' && platform === undefined)
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
        {...(text === '' && { action: 'All projects' })}
        title={['No project', platform && `for ${platform}`, text && `matches “${text}”`]
          .filter(Boolean)
          .join(' ')}
        text={
          text === ''
            ? 'No public project has a file for this platform.'
            : 'The search looks at titles and short descriptions. Try a shorter word.'
        }
      />
    )

  return (
    <>
      <h2 className="hidden">Projects</h2>
      <ProjectCards projects={projects} now={now} />
      <Pages
        path={routes.browse}
        fields={{ q: search, sort, platform }}
        page={page}
        pageSize={PROJECTS_A_PAGE}
        total={total}
      />
    </>
  )
}
