import type {
  Platform,
  Project as ProjectRecord,
  ProjectPage as PageView,
} from '../../../server/contract'
import { releaseAddress } from '../../../server/texts/release-address'
import { useHead } from '../../lib/texts/head'
import { paths } from '../../paths'
import { ProjectPage } from '../../visitor/project/project-page'
import { ReleasePage } from '../../visitor/project/release-page'
import { useProjectSlots } from './project-slots'
import { structuredData } from './structured-data'
import type { PostsComponent } from './posts-component'
import { useVisitorParts } from './use-visitor-parts'

interface ProjectProps {
  project: ProjectRecord
  page: PageView
  /** Shows this release only. */
  version: string | undefined
  since: string | undefined
  device: Platform | undefined
  Updates: PostsComponent
}

export function Project({ version, since, Updates, ...view }: ProjectProps) {
  const { title, summary, owner, slug, is_public } = view.project
  const base = paths.publicProject(slug)
  const shared = {
    ...view,
    base,
    ...useVisitorParts(),
    slots: useProjectSlots(view.project, Updates),
  }

  useHead({
    title: version === undefined ? title : `${title} ${version}`,
    description: summary || `${title} by ${owner}`,
    canonical: version === undefined ? base : releaseAddress(base, version),
    jsonLd: version === undefined ? structuredData(view.project) : undefined,
    robots: is_public ? undefined : 'noindex',
  })
  if (version !== undefined) return <ReleasePage {...shared} />

  return <ProjectPage {...shared} since={since} posts={[]} />
}
