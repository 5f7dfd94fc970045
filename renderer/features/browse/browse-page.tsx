import { keepPreviousData } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'
import { PLATFORMS, type Platform } from '../../../server/contract/files/platforms'
import { PROJECT_ORDERS, type ProjectOrder } from '../../../server/contract/projects/page-query'
import { queryKeys } from '../../lib/client/query-keys'
import { useLoad } from '../../lib/client/use-load'
import { useListAddress } from '../../lib/hooks/use-list-address'
import { useScrollToTop } from '../../lib/hooks/use-scroll-to-top'
import { useHead } from '../../lib/texts/head'
import { Loaded } from '../../ui/feedback/loaded'
import { CardGridSkeleton } from '../../ui/table/card-grid'
import { useLastPage } from '../../ui/table/use-last-page'
import { useNow } from '../../ui/text/use-now'
import { ListPage } from '../../visitor/lists/list-page'
import {
  browsePage,
  projectCount,
  ProjectOptions,
  PROJECTS_A_PAGE,
  PublicProjects,
} from '../../visitor/lists/projects'

export function BrowsePage() {
  useHead(browsePage)
  const { listState, change } = useListAddress({ q: '', sort: 'newest', platform: '' })

  const { q: search, page } = listState
  const sort = PROJECT_ORDERS.find((name) => name === listState.sort) ?? 'newest'
  const platform = PLATFORMS.find((name) => name === listState.platform)

  useScrollToTop(page)
  const projects = usePublicProjects({ search, sort, platform }, page)
  useLastPage(page, Math.ceil((projects.data?.total ?? 0) / PROJECTS_A_PAGE), (last) =>
    change({ page: last }),
  )
  const now = useNow()

  return (
    <div className="visitor">
      <ListPage
        {...browsePage}
        fields={{ q: search, sort, platform }}
        count={projectCount(projects.data?.total ?? 0)}
        onSearch={(q) => change({ q })}
        options={<ProjectOptions search={search} sort={sort} platform={platform} />}
      >
        <Loaded
          query={projects}
          title="The projects could not be loaded"
          skeleton={<CardGridSkeleton cards={6} />}
        >
          {(data) => (
            <PublicProjects
              {...data}
              search={search}
              sort={sort}
              platform={platform}
              page={page}
              now={now}
            />
          )}
        </Loaded>
      </ListPage>
    </div>
  )
}

/** Public projects that match a search; the previous results stay until new ones arrive. */
function usePublicProjects(
  {
    search,
    sort,
    platform,
  }: { search: string; sort: ProjectOrder; platform: Platform | undefined },
  page: number,
) {
  const [text] = useDebouncedValue(search.trim(), 200)
  return useLoad(
    [...queryKeys.projects.public(text), sort, platform, page],
    (client, signal) => {
      const part = { sort, limit: PROJECTS_A_PAGE, offset: (page - 1) * PROJECTS_A_PAGE }
      const filter = { ...(text !== '' && { search: text }), ...(platform && { platform }) }
      return client.projects.listPublic({ ...filter, ...part }, signal)
    },
    { placeholderData: keepPreviousData },
  )
}
