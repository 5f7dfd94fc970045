import { useListAddress } from '../../lib/hooks/use-list-address'
import { useScrollToTop } from '../../lib/hooks/use-scroll-to-top'
import { useHead } from '../../lib/texts/head'
import { Loaded } from '../../ui/feedback/loaded'
import { TableSkeleton } from '../../ui/table/skeletons'
import { useLastPage } from '../../ui/table/use-last-page'
import { useNow } from '../../ui/text/use-now'
import { fileCount, FILES_A_PAGE, PublicFiles, publicFilesPage } from '../../visitor/lists/files'
import { ListPage } from '../../visitor/lists/list-page'
import { usePublicFiles } from './use-public-files'

export function PublicFilesPage() {
  useHead(publicFilesPage)
  const { listState, change } = useListAddress({ q: '' })
  const { q: search, page } = listState
  const now = useNow()

  const files = usePublicFiles(search, page)
  const lastPage = Math.ceil((files.data?.total ?? 0) / FILES_A_PAGE)
  useScrollToTop(page)
  useLastPage(page, lastPage, (last) => change({ page: last }))

  return (
    <div className="visitor">
      <ListPage
        {...publicFilesPage}
        fields={{ q: search }}
        count={fileCount(files.data?.total ?? 0)}
        onSearch={(q) => change({ q })}
      >
        <Loaded
          query={files}
          title="The files could not be loaded"
          skeleton={<TableSkeleton rows={8} />}
        >
          {(data) => <PublicFiles {...data} search={search} page={page} now={now} />}
        </Loaded>
      </ListPage>
    </div>
  )
}
