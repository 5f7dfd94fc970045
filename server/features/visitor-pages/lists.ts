import type { ParsedUrlQuery } from 'node:querystring'
import { z } from 'zod'
import type { Rooms } from '../../compose/context'
import { line } from '../../contract/fields'
import type { Html } from '../../http/pages/html'
import { once } from '../../http/pages/render'
import { presentFile } from '../files/presenter'
import { searchPublicFiles } from '../files/public-search'
import { presentListedProject } from '../projects/presenter'
import { renderFramed } from './frame'

const loadList = once(() => import('../../../renderer/visitor/lists/list-page'))
const loadProjects = once(() => import('../../../renderer/visitor/lists/projects'))
const loadFiles = once(() => import('../../../renderer/visitor/lists/files'))

const VISITOR = { kind: 'visitor' } as const

/** Whatever an address says, there is a list. */
const querySchema = z.object({
  q: line(200).catch(''),
  page: z.coerce.number().int().min(1).max(999_999).catch(1),
})

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'projects'>

export interface LightPage {
  title: string
  description: string
  content: Html
}

/** Writes the page of the public projects. */
export async function projectsPage(context: Deps, query: ParsedUrlQuery): Promise<LightPage> {
  const [{ ListPage }, { browsePage, projectCount, PROJECTS_A_PAGE, PublicProjects }] = await Promise.all([
    loadList(),
    loadProjects(),
  ])
  const { q: search, page } = querySchema.parse(query)
  const { values, total } = context.projects.store.search(search, cutPage(page, PROJECTS_A_PAGE))
  const projects = values.map((project) => presentListedProject(context, project, VISITOR))
  const now = context.host.sources.now()
  const List = () =>
    ListPage({
      ...browsePage,
      search,
      count: projectCount(total),
      children: PublicProjects({ projects, total, search, page, now }),
    })
  return { ...browsePage, content: await renderFramed(context.host.version, List, {}) }
}

/** Writes the page of the public files. */
export async function filesPage(context: Deps, query: ParsedUrlQuery): Promise<LightPage> {
  const [{ ListPage }, { publicFilesPage, fileCount, FILES_A_PAGE, PublicFiles }] = await Promise.all([
    loadList(),
    loadFiles(),
  ])
  const { q: search, page } = querySchema.parse(query)
  const { values, total } = searchPublicFiles(context, search, cutPage(page, FILES_A_PAGE))
  const files = values.map((file) => presentFile(context, file, VISITOR))
  const now = context.host.sources.now()
  const List = () =>
    ListPage({
      ...publicFilesPage,
      search,
      count: fileCount(total),
      children: PublicFiles({ files, total, search, page, now }),
    })
  return { ...publicFilesPage, content: await renderFramed(context.host.version, List, {}) }
}

const cutPage = (page: number, limit: number) => ({ limit, offset: (page - 1) * limit })
