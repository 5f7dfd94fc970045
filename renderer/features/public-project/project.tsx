import type { Platform, Project as ProjectRecord, ProjectPage as PageView } from '../../../server/contract'
import { releaseAddress } from '../../../server/texts/release-address'
import { useIsAlone, useShareUrl } from '../../lib/host/host'
import { useHead } from '../../lib/texts/head'
import { paths } from '../../paths'
import { Markdown } from '../../ui/markdown/markdown'
import { useNow } from '../../ui/text/use-now'
import { ProjectPage } from '../../visitor/project/project-page'
import { ReleasePage } from '../../visitor/project/release-page'
import { useProjectSlots } from './project-slots'
import { structuredData } from './structured-data'
import type { UpdatesFeed } from './updates-feed'

interface ProjectProps {
  project: ProjectRecord
  page: PageView
  /** Shows this release only. */
  version: string | undefined
  since: string | undefined
  device: Platform | undefined
  Updates: UpdatesFeed
}

export function Project({ version, since, Updates, ...view }: ProjectProps) {
  const { title, summary, owner, slug, is_public } = view.project
  const isAlone = useIsAlone()
  const url = useShareUrl()('')
  const base = paths.publicProject(slug)
  const shared = {
    ...view,
    base,
    now: useNow(),
    Written: Markdown,
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
  return <ProjectPage {...shared} host={{ url, reachable: !isAlone }} since={since} posts={[]} />
}
