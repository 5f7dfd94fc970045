import { Box } from '@mantine/core'
import { Suspense } from 'react'
import { Navigate, Outlet, useLocation, useParams, useSearchParams } from 'react-router-dom'
import type { Project } from '../../../../server/contract'
import { lazyPage } from '../../../lib/browser/lazy-page'
import { isMissing } from '../../../lib/client/failure'
import { useHead } from '../../../lib/texts/head'
import { paths } from '../../../paths'
import { Page } from '../../../ui/layout/page'
import { TabbedPage } from '../../../ui/layout/tabbed-page'
import { Loaded } from '../../../ui/feedback/loaded'
import { TableSkeleton } from '../../../ui/table/skeletons'
import { ProjectHeader } from './project-header'
import { listTabs } from './project-parts'
import { ProjectSkeleton } from './project-skeleton'
import { usePublishPlace } from '../../uploads/drop/drop-place'
import { useProject } from '../use-projects'

const NoProject = lazyPage(() => import('../no-project'), 'NoProject')

/** /projects/:id: the pages of a project's owner and collaborators. The tabs render inside. */
export function ProjectPage() {
  const { id = '' } = useParams()
  const project = useProject(id)
  if (isMissing(project.error))
    return (
      <Suspense>
        <NoProject />
      </Suspense>
    )

  const loaded = (
    <Loaded query={project} title="This project could not be loaded" skeleton={<ProjectSkeleton />}>
      {(data) => <OpenProject id={id} project={data} />}
    </Loaded>
  )
  return project.data || project.isLoading ? loaded : <Page title="Project">{loaded}</Page>
}

/** `id`: the id or slug of the address, which the tabs keep. */
function OpenProject({ id, project }: { id: string; project: Project }) {
  const { pathname } = useLocation()

  const version = useSearchParams()[0].get('version') ?? ''
  const target = { id: project.project_id, title: project.title, isPublic: project.is_public }
  const canAdd = project.can.includes('link')

  usePublishPlace(
    canAdd ? { invitation: `Drop to add to ${project.title}`, project: target, version } : {},
  )

  const parts = listTabs(project, id, pathname)
  const part = parts.slice(1).find(({ to, hasOpenPage }) => to === pathname || hasOpenPage)

  useHead({
    title: part ? `${part.text} · ${project.title}` : project.title,
    description: project.summary,
  })
  if (project.role === null) return <Navigate to={paths.publicProject(project.slug)} replace />

  return (
    <TabbedPage head={<ProjectHeader project={project} />} label="Project" tabs={parts}>
      {/* The footer waits below the screen, or the tab would push it there. */}
      <Suspense
        fallback={
          <Box mih="100vh">
            <TableSkeleton rows={4} />
          </Box>
        }
      >
        <Outlet context={project} />
      </Suspense>
    </TabbedPage>
  )
}
