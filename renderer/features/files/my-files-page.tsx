import { Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { ToTrash } from '../../lib/links/to-trash'
import { useStorage } from '../../lib/hooks/use-storage'
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
  const hasNone = !isFiltered && files.data?.total === 0

  return (
    <Page
      title="My Files"
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
