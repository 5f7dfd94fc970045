import { Stack } from '@mantine/core'
import { ToTrash } from '../../lib/links/to-trash'
import { useStorage } from '../../lib/hooks/use-storage'
import { Page } from '../../ui/layout/page'
import { DropInvitation } from '../uploads/drop/drop-invitation'
import { usePublishPlace } from '../uploads/drop/drop-place'
import { FilesList } from './files-list'
import { UnfinishedUploads } from '../uploads/dock/unfinished-uploads'
import { UploadList } from '../uploads/dock/upload-list'
import { useFileFilter } from './use-file-filter'
import { useMyFiles } from './use-my-files'
import { useUnfinished } from '../uploads/dock/use-unfinished'
import { useUploads } from '../uploads/queue/use-uploads'

/** /my-files: a drop zone while there are no files, then a bar above the table. */
export function MyFilesPage() {
  const { filter, change, isFiltered } = useFileFilter()
  const files = useMyFiles(filter)
  const storage = useStorage().data
  const { uploads, queue } = useUploads()
  usePublishPlace({ invitation: 'Drop to upload', isStore: true })
  const interrupted = useUnfinished()
  const isBusy = uploads.length > 0 || interrupted.unfinished.length > 0
  const hasNone = !isFiltered && files.data?.total === 0

  return (
    <Page title="My Files" actions={<ToTrash />}>
      <Stack gap="md">
        <DropInvitation look={hasNone && !isBusy ? 'page' : 'bar'} storage={storage} />
        <UploadList uploads={uploads} queue={queue} />
        <UnfinishedUploads {...interrupted} />
        {!hasNone && <FilesList files={files} filter={filter} isFiltered={isFiltered} onFilter={change} />}
      </Stack>
    </Page>
  )
}
