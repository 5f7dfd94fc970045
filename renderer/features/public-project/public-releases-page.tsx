import { useParams, useSearchParams } from 'react-router-dom'
import { readPageQuery } from '../../../server/contract/projects/page-query'
import { RELEASES_A_PAGE } from '../../../server/texts/release-address'
import { visitorPlatform } from '../../../server/contract/files/platforms'
import { useLoad } from '../../lib/client/use-load'
import { queryKeys } from '../../lib/client/query-keys'
import { useHead } from '../../lib/texts/head'
import { paths } from '../../paths'
import { ReleaseIndex } from '../../visitor/project/release-index'
import { PageState } from './page-state'
import { useVisitorParts } from './use-visitor-parts'

/** All releases of a project: members also see drafts and withdrawn ones. */
export function PublicReleasesPage() {
  const { slug = '' } = useParams()
  const [query] = useSearchParams()

  const { page, from } = readPageQuery(Object.fromEntries(query))
  const parts = useVisitorParts()

  const device = visitorPlatform(navigator.userAgent, navigator.maxTouchPoints)
  const releases = useReleases(slug, page, from)
  useHead({
    title: releases.data ? `Releases of ${releases.data.project.title}` : 'Releases',
    canonical: `${paths.publicProject(slug)}/releases`,
  })

  return (
    <PageState query={releases} isRelease={false}>
      {(data) => (
        <ReleaseIndex
          {...data}
          {...parts}
          page={page}
          device={device}
          base={paths.publicProject(data.project.slug)}
        />
      )}
    </PageState>
  )
}

const useReleases = (slug: string, page: number, from: string | undefined) =>
  useLoad(queryKeys.projects.releasePage(slug, page, from), async (client, signal) => {
    const window = { offset: (page - 1) * RELEASES_A_PAGE, limit: RELEASES_A_PAGE }
    const [{ project }, { releases, total }, newer] = await Promise.all([
      client.projects.byId({ id: slug }, signal),
      client.releases.list({ id: slug, ...window }, signal),
      from === undefined
        ? undefined
        : client.releases.list({ id: slug, since: from, limit: 1 }, signal),
    ])
    const since = from !== undefined && newer ? { version: from, count: newer.total } : undefined
    return { project, releases, total, since }
  })
