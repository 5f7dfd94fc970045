import type { Rooms } from '../../compose/context'
import type { Platform, ProjectOrder } from '../../contract'
import { platformsOf } from '../../contract'
import { cut, type Page, type ResultPage } from '../../data/library/search/search'
import type { ProjectRecord } from '../../data/records/project-records'
import { LOCALE } from '../../texts/format'
import { platformOfLink } from './link-store'
import { createFileFinder } from './file-finder'

type Deps = Rooms<'files' | 'projects'>

/** Which public projects, and in which order. */
export interface PublicSearch {
  search?: string | undefined
  platform?: Platform | undefined
  sort?: ProjectOrder
}

const VISITOR = { kind: 'visitor' } as const
const ALL: Page = { limit: Infinity, offset: 0 }
// Made when first used, as in texts/format.ts.
let names: Intl.Collator | undefined

/**
 * Finds a page of the public projects. Only a filter and an order other than `newest` read all of
 * them.
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

/** Every order keeps the newest first among equals. */
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
  const fileOf = createFileFinder(deps, project, VISITOR)
  return deps.projects.store.links.ofProject(project.id).find((link) => fileOf(link) !== undefined)
}

/** As the card of the project says: by its newest files. */
function isFor(deps: Deps, project: ProjectRecord, platform: Platform): boolean {
  const fileOf = createFileFinder(deps, project, VISITOR)
  let count = 0
  for (const link of deps.projects.store.links.ofProject(project.id)) {
    const file = fileOf(link)
    if (!file) continue
    const published = { filename: file.filename, platform: platformOfLink(link, file) }
    if (platformsOf([published]).includes(platform)) return true
    if (++count === LOOKED_AT) return false
  }
  return false
}

/** The platforms of a project come from this many of its newest files. */
export const LOOKED_AT = 50
