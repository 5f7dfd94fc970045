import { useParams, useSearchParams } from 'react-router-dom'
import { readPageQuery } from '../../../server/contract/projects/page-query'
import { visitorPlatform } from '../../../server/contract/files/platforms'
import { PageState } from './page-state'
import { Project } from './project'
import type { PostsComponent } from './posts-component'
import { usePublicProject } from './use-public-project'

/** The page that a creator sends to customers, and the pages of its releases. */
export function PublicProjectPage({ Updates }: { Updates: PostsComponent }) {
  const { slug = '', version } = useParams()
  const [query] = useSearchParams()

  const { channel, since } = readPageQuery(Object.fromEntries(query))
  const device = visitorPlatform(navigator.userAgent, navigator.maxTouchPoints)
  const filter = version === undefined ? { channel, since } : { version }
  const project = usePublicProject(slug, { ...filter, platform: device })

  return (
    <PageState query={project} isRelease={version !== undefined}>
      {(data) => (
        <Project {...data} version={version} since={since} device={device} Updates={Updates} />
      )}
    </PageState>
  )
}
