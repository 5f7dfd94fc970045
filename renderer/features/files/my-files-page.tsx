import { Group, Stack } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { describePage } from '../../../server/contract/routes'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { ToTrash } from '../../lib/links/to-trash'
import { useStorage } from '../../lib/hooks/use-storage'
import { notifySuccess } from '../../ui/feedback/notify'
import { Page } from '../../ui/layout/page'
import { RequestButton } from '../file-requests/request-button'
import { DropInvitation } from '../uploads/drop/drop-invitation'
import { usePublishPlace } from '../uploads/drop/drop-place'
import { FilesList } from './files-list'
import { useFileFilter } from './use-file-filter'
import { useMyFiles } from './use-my-files'

const PageUploads = lazyPage(() => import('../uploads/dock/page-uploads'), 'PageUploads')

/** /my-files: a drop zone while there are no files, then a bar above the table. */
export function MyFilesPage() {
  const { filter, change, isFiltered } = useFileFilter()
  const files = useMyFiles(filter)
  const storage = useStorage().data

  usePublishPlace({ invitation: 'Drop to upload', isStore: true })
  const [isBusy, setBusy] = useState(false)
  useShared()
  const hasNone = !isFiltered && files.data?.total === 0

  return (
    <Page
      {...describePage('myFiles')}
      actions={
        <Group gap="xs">
          <RequestButton />
          <ToTrash />
        </Group>
      }
    >
      <Stack gap="md">
        <DropInvitation look={hasNone && !isBusy ? 'page' : 'bar'} storage={storage} />
        <AfterFirstView>
          <PageUploads onBusy={setBusy} />
        </AfterFirstView>
        {!hasNone && (
          <FilesList files={files} filter={filter} isFiltered={isFiltered} onFilter={change} />
        )}
      </Stack>
    </Page>
  )
}

/** Says where a file is that another app of the phone has shared with Slipway. */
function useShared(): void {
  const [params, setParams] = useSearchParams()
  const isShared = params.has('shared')

  useEffect(() => {
    if (!isShared) return
    notifySuccess('The file is in My Files. Only you see it until you make it public.')
    setParams((before) => (before.delete('shared'), before), { replace: true })
  }, [isShared, setParams])
}
