import { VISITOR } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import type { Platform, ProjectOrder } from '../../contract'
import { platformsOf } from '../../contract'
import { cut, type Page, type ResultPage } from '../../data/library/search/search'
import type { ProjectRecord } from '../../data/records/project-records'
import { LOCALE } from '../../texts/format'
import { platformOfLink } from './link-store'
import { LOOKED_AT, ProjectView } from './project-view'

type Deps = Rooms<'files' | 'projects'>

/** Filters and sorts the public projects. */
export interface PublicSearch {
  search?: string | undefined
  platform?: Platform | undefined
  sort?: ProjectOrder
}

const ALL: Page = { limit: Infinity, offset: 0 }
// Created at the first use, as in texts/format.ts.
let names: Intl.Collator | undefined

/**
 * Returns a page of the public projects. Reads all of them only for a filter, or an order other
 * than `newest`.
 */
export function findPublicProjects(
  deps: Deps,
  { search = '', platform, sort = 'newest' }: PublicSearch,
  page: Page,
): ResultPage<ProjectRecord> {
  const { store } = deps.projects
  if (platform === undefined && sort === 'newest') return store.search(search, page)

  const { values } = store.search(search, ALL)
  const projects = values.filter(
    (project) => platform === undefined || isFor(deps, project, platform),
  )

  return cut(inOrder(deps, projects, sort), page)
}

/** Sorts projects. Equal ones stay sorted by date, newest first. */
function inOrder(deps: Deps, projects: ProjectRecord[], sort: ProjectOrder): ProjectRecord[] {
  if (sort === 'newest') return projects

  if (sort === 'name') {
    const { compare } = (names ??= new Intl.Collator(LOCALE, {
      numeric: true,
      sensitivity: 'base',
    }))
    return projects.sort((a, b) => compare(a.title, b.title))
  }

  const numberOf =
    sort === 'downloads'
      ? ({ id }: ProjectRecord) => deps.files.counts.downloadsOfProject(id)
      : (project: ProjectRecord) => Date.parse(findNewestLink(deps, project)?.addedAt ?? '') || 0

  const numbers = new Map(projects.map((project) => [project, numberOf(project)]))
  return projects.sort((a, b) => (numbers.get(b) ?? 0) - (numbers.get(a) ?? 0))
}

function findNewestLink(deps: Deps, project: ProjectRecord) {
  const view = new ProjectView(deps, project, VISITOR)
  return deps.projects.store.links.ofProject(project.id).find((link) => view.fileOf(link))
}

/** Whether the newest files of a project are for a platform, as its card shows. */
function isFor(deps: Deps, project: ProjectRecord, platform: Platform): boolean {
  const view = new ProjectView(deps, project, VISITOR)
  let count = 0

  for (const link of deps.projects.store.links.ofProject(project.id)) {
    const file = view.fileOf(link)
    if (!file) continue
    const published = { filename: file.filename, platform: platformOfLink(link, file) }
    if (platformsOf([published]).includes(platform)) return true
    if (++count === LOOKED_AT) return false
  }

  return false
}
