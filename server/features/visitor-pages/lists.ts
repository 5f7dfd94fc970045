import { VISITOR } from '../../access/actor'
import type { ParsedUrlQuery } from 'node:querystring'
import { z } from 'zod'
import type { Rooms } from '../../compose/context'
import { line } from '../../contract/fields'
import { PLATFORMS } from '../../contract/files/platforms'
import { PROJECT_ORDERS } from '../../contract/projects/page-query'
import { once, type Html } from '../../http/pages/html'
import { presentFile } from '../files/presenter'
import { searchPublicFiles } from '../files/public-search'
import { presentProjects } from '../projects/presenter'
import { findPublicProjects } from '../projects/public-list'
import { renderFramed } from './frame'

const loadList = once(() => import('../../../renderer/visitor/lists/list-page'))
const loadProjects = once(() => import('../../../renderer/visitor/lists/projects'))
const loadFiles = once(() => import('../../../renderer/visitor/lists/files'))

/** Invalid values fall back to the defaults. */
const querySchema = z.object({
  q: line(200).catch(''),
  page: z.coerce.number().int().min(1).max(999_999).catch(1),
  sort: z.enum(PROJECT_ORDERS).catch('newest'),
  platform: z.enum(PLATFORMS).optional().catch(undefined),
})

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'projects'>

export interface LightPage {
  title: string
  description: string
  content: Html
}

/** Renders the list of public projects. */
export async function projectsPage(context: Deps, query: ParsedUrlQuery): Promise<LightPage> {
  const [
    { ListPage },
    { browsePage, projectCount, PROJECTS_A_PAGE, ProjectOptions, PublicProjects },
  ] = await Promise.all([loadList(), loadProjects()])

  const { q: search, page: wished, sort, platform } = querySchema.parse(query)
  const readPage = (page: number) =>
    findPublicProjects(context, { search, sort, platform }, cutPage(page, PROJECTS_A_PAGE))
  const { page, values, total } = readOrLast(wished, PROJECTS_A_PAGE, readPage)
  const projects = presentProjects(context, values, VISITOR)

  const now = context.host.sources.now()
  const List = () =>
    ListPage({
      ...browsePage,
      fields: { q: search, sort, platform },
      count: projectCount(total),
      options: ProjectOptions({ search, sort, platform }),
      children: PublicProjects({ projects, total, search, sort, platform, page, now }),
    })

  return { ...browsePage, content: await renderFramed(context.host, List, {}) }
}

/** Renders the list of public files. */
export async function filesPage(context: Deps, query: ParsedUrlQuery): Promise<LightPage> {
  const [{ ListPage }, { publicFilesPage, fileCount, FILES_A_PAGE, PublicFiles }] =
    await Promise.all([loadList(), loadFiles()])

  const { q: search, page: wished } = querySchema.parse(query)
  const readPage = (page: number) => searchPublicFiles(context, search, cutPage(page, FILES_A_PAGE))
  const { page, values, total } = readOrLast(wished, FILES_A_PAGE, readPage)
  const files = values.map((file) => presentFile(context, file, VISITOR))

  const now = context.host.sources.now()
  const List = () =>
    ListPage({
      ...publicFilesPage,
      fields: { q: search },
      count: fileCount(total),
      children: PublicFiles({ files, total, search, page, now }),
    })

  return { ...publicFilesPage, content: await renderFramed(context.host, List, {}) }
}

/** Reads a page of a list, or its last page if there are fewer. */
function readOrLast<T extends { total: number }>(
  page: number,
  pageSize: number,
  readPage: (page: number) => T,
) {
  const result = readPage(page)
  const last = Math.max(1, Math.ceil(result.total / pageSize))
  return page <= last ? { ...result, page } : { ...readPage(last), page: last }
}

const cutPage = (page: number, limit: number) => ({ limit, offset: (page - 1) * limit })
