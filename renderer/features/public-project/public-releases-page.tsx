import { useParams, useSearchParams } from 'react-router-dom'
import { pageQuerySchema } from '../../../server/contract/projects/project-page'
import { RELEASES_A_PAGE } from '../../../server/texts/release-address'
import { useLoad } from '../../lib/client/use-load'
import { queryKeys } from '../../lib/client/query-keys'
import { useHead } from '../../lib/texts/head'
import { paths } from '../../paths'
import { useNow } from '../../ui/text/use-now'
import { ReleaseIndex } from '../../visitor/project/release-index'
import { PageState } from './page-state'

/** All releases of a project: members also see drafts and withdrawn ones. */
export function PublicReleasesPage() {
  const { slug = '' } = useParams()
  const [query] = useSearchParams()
  const { page } = pageQuerySchema.parse(Object.fromEntries(query))
  const now = useNow()
  const releases = useReleases(slug, page)
  useHead({
    title: releases.data ? `Releases of ${releases.data.project.title}` : 'Releases',
    canonical: `${paths.publicProject(slug)}/releases`,
  })
  return (
    <PageState query={releases} isRelease={false}>
      {(data) => <ReleaseIndex {...data} page={page} base={paths.publicProject(data.project.slug)} now={now} />}
    </PageState>
  )
}

const useReleases = (slug: string, page: number) =>
  useLoad(queryKeys.projects.releasePage(slug, page), async (client, signal) => {
    const window = { offset: (page - 1) * RELEASES_A_PAGE, limit: RELEASES_A_PAGE }
    const [{ project }, { releases, total }] = await Promise.all([
      client.projects.byId({ id: slug }, signal),
      client.releases.list({ id: slug, ...window }, signal),
    ])
    return { project, releases, total }
  })
