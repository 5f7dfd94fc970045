import { Button, Stack } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useRef } from 'react'
import { Link } from 'react-router-dom'
import { useStorage } from '../../lib/use-storage'
import { paths } from '../../paths'
import { Page } from '../../ui/page'
import { ChosenFilesForm } from './chosen-files-form'
import { DropInvitation } from './drop-invitation'
import { FileDrop } from './file-drop'
import { FilesList } from './files-list'
import { UploadList } from './upload-list'
import { useChosenFiles } from './use-chosen-files'
import { useFileFilter } from './use-file-filter'
import { useMyFiles } from './use-my-files'
import { useUploads } from './use-uploads'

/** /my-files: the drop zone is the page until there are files, then a bar above the table. */
export function MyFilesPage() {
  const { filter, change, isFiltered } = useFileFilter()
  const files = useMyFiles(filter)
  const storage = useStorage().data
  const { uploads, queue } = useUploads()
  const chosen = useChosenFiles(storage)
  const picker = useRef<() => void>(null)
  const isBusy = chosen.choices.length > 0 || uploads.length > 0
  const hasNone = !isFiltered && files.data?.total === 0

  return (
    <Page title="My Files" actions={<ToTrash />}>
      <FileDrop onFiles={chosen.choose} invitation="Drop to upload" picker={picker}>
        <Stack gap="md">
          <DropInvitation
            browse={() => picker.current?.()}
            look={hasNone && !isBusy ? 'page' : 'bar'}
            storage={storage}
          />
          {chosen.choices.length > 0 && <ChosenFilesForm chosen={chosen} />}
          <UploadList uploads={uploads} queue={queue} />
          {!hasNone && <FilesList files={files} filter={filter} isFiltered={isFiltered} onFilter={change} />}
        </Stack>
      </FileDrop>
    </Page>
  )
}

function ToTrash() {
  return (
    <Button component={Link} to={paths.trash} variant="default" leftSection={<IconTrash size={16} />}>
      Recently deleted
    </Button>
  )
}
