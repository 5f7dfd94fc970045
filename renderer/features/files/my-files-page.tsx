import { Stack } from '@mantine/core'
import { Suspense, useRef } from 'react'
import { lazyPage } from '../../lib/browser/lazy-page'
import { ToTrash } from '../../lib/links/to-trash'
import { useStorage } from '../../lib/hooks/use-storage'
import { Page } from '../../ui/layout/page'
import { DropInvitation } from '../uploads/drop/drop-invitation'
import { FileDrop } from '../uploads/drop/file-drop'
import { FilesList } from './files-list'
import { UnfinishedUploads } from '../uploads/dock/unfinished-uploads'
import { UploadList } from '../uploads/dock/upload-list'
import { useArrivals } from '../uploads/drop/use-arrivals'
import { useChosenFiles } from '../uploads/form/use-chosen-files'
import { useFileFilter } from './use-file-filter'
import { useMyFiles } from './use-my-files'
import { useUnfinished } from '../uploads/dock/use-unfinished'
import { useUploads } from '../uploads/queue/use-uploads'

const ChosenFilesForm = lazyPage(() => import('../uploads/form/chosen-files-form'), 'ChosenFilesForm')

/** /my-files: a drop zone while there are no files, then a bar above the table. */
export function MyFilesPage() {
  const { filter, change, isFiltered } = useFileFilter()
  const files = useMyFiles(filter)
  const storage = useStorage().data
  const { uploads, queue } = useUploads()
  const chosen = useChosenFiles(storage)
  useArrivals(chosen.choose)
  const picker = useRef<HTMLInputElement>(null)
  const interrupted = useUnfinished()
  const isBusy = chosen.choices.length > 0 || uploads.length > 0 || interrupted.unfinished.length > 0
  const hasNone = !isFiltered && files.data?.total === 0

  return (
    <Page title="My Files" actions={<ToTrash />}>
      <FileDrop onFiles={chosen.choose} invitation="Drop to upload" picker={picker}>
        <Stack gap="md">
          <DropInvitation
            browse={() => picker.current?.click()}
            look={hasNone && !isBusy ? 'page' : 'bar'}
            storage={storage}
          />
          <Suspense>{chosen.choices.length > 0 && <ChosenFilesForm chosen={chosen} />}</Suspense>
          <UploadList uploads={uploads} queue={queue} />
          <UnfinishedUploads {...interrupted} />
          {!hasNone && <FilesList files={files} filter={filter} isFiltered={isFiltered} onFilter={change} />}
        </Stack>
      </FileDrop>
    </Page>
  )
}
