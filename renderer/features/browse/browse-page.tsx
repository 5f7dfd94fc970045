import { keepPreviousData } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'
import { queryKeys } from '../../lib/client/query-keys'
import { useLoad } from '../../lib/client/use-load'
import { useListAddress } from '../../lib/hooks/use-list-address'
import { usePageTurn } from '../../lib/hooks/use-page-turn'
import { useHead } from '../../lib/texts/head'
import { Loaded } from '../../ui/feedback/loaded'
import { CardGridSkeleton } from '../../ui/table/card-grid'
import { useLastPage } from '../../ui/table/use-last-page'
import { useNow } from '../../ui/text/use-now'
import { ListPage } from '../../visitor/lists/list-page'
import { browsePage, projectCount, PROJECTS_A_PAGE, PublicProjects } from '../../visitor/lists/projects'

export function BrowsePage() {
  useHead(browsePage)
  const { listState, change } = useListAddress({ q: '' })
  const { q: search, page } = listState
  usePageTurn(page)
  const projects = usePublicProjects(search, page)
  useLastPage(page, Math.ceil((projects.data?.total ?? 0) / PROJECTS_A_PAGE), (last) => change({ page: last }))
  const now = useNow()
  return (
    <div className="visitor">
      <ListPage
        {...browsePage}
        search={search}
        count={projectCount(projects.data?.total ?? 0)}
        onSearch={(q) => change({ q })}
      >
        <Loaded query={projects} title="The projects could not be loaded" skeleton={<CardGridSkeleton cards={6} />}>
          {(data) => <PublicProjects {...data} search={search} page={page} now={now} />}
        </Loaded>
      </ListPage>
    </div>
  )
}

/** Public projects that match a search; the previous results stay until new ones arrive. */
function usePublicProjects(search: string, page: number) {
  const [text] = useDebouncedValue(search.trim(), 200)
  return useLoad(
    [...queryKeys.projects.public(text), page],
    (client, signal) => {
      const part = { limit: PROJECTS_A_PAGE, offset: (page - 1) * PROJECTS_A_PAGE }
      return client.projects.listPublic(text === '' ? part : { search: text, ...part }, signal)
    },
    { placeholderData: keepPreviousData },
  )
}
