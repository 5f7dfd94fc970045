import type { Project as ProjectRecord } from '../../../server/contract'
import { visitorPlatform } from '../../../server/contract/visitor/visitor-platform'
import { useHost, useShareUrl } from '../../lib/host/host'
import { useHead } from '../../lib/words/head'
import { paths } from '../../paths'
import { Markdown } from '../../ui/markdown/markdown'
import { useNow } from '../../ui/text/use-now'
import { ProjectPage } from '../../visitor/project/project-page'
import { useProjectSlots } from './project-slots'
import { structuredData } from './structured-data'
import type { UpdatesFeed } from './updates-feed'

export function Project({ project, Updates }: { project: ProjectRecord; Updates: UpdatesFeed }) {
  const { title, summary, owner, slug } = project
  const { reachable, version } = useHost()
  const url = useShareUrl()('')
  const now = useNow()
  const slots = useProjectSlots(project, Updates)
  useHead({
    title,
    description: summary || `${title} by ${owner}`,
    canonical: paths.publicProject(slug),
    jsonLd: structuredData(project),
    robots: project.is_public ? undefined : 'noindex',
  })
  return (
    <ProjectPage
      project={project}
      device={visitorPlatform(navigator.userAgent, navigator.maxTouchPoints)}
      now={now}
      // Until the host has answered, it says nothing about its reach.
      host={{ url, reachable: reachable || version === '' }}
      base={paths.publicProject(slug)}
      posts={[]}
      Written={Markdown}
      slots={slots}
    />
  )
}
