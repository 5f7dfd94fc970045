import { Button, Group, Stack } from '@mantine/core'
import { IconPackages, IconUpload } from '@tabler/icons-react'
import { useRef } from 'react'
import type { Project } from '../../../server/contract'
import { useOpenProject } from '../../lib/open-project'
import { useStorage } from '../../lib/use-storage'
import { EmptyState } from '../../ui/empty-state'
import { ChosenFilesForm } from './chosen-files-form'
import { FileDrop } from './file-drop'
import { LinkFiles } from './link-files'
import { LinkedFilesTable } from './linked-files-table'
import { UploadList } from './upload-list'
import { useChosenFiles } from './use-chosen-files'
import { useUploads } from './use-uploads'

/** /projects/:id: the files that a project offers. */
export function ProjectFilesPage() {
  const project = useOpenProject()
  if (project.can.includes('link')) return <OwnFiles key={project.project_id} project={project} />
  if (project.downloads.length > 0) return <LinkedFilesTable project={project} />
  return <EmptyState icon={IconPackages} title="No files yet" text={`${project.owner} has not added any files.`} />
}

/** Files can be dropped here, chosen, or taken from those that are on the host already. */
function OwnFiles({ project }: { project: Project }) {
  const { project_id, title, downloads } = project
  const { uploads, queue } = useUploads()
  const chosen = useChosenFiles(useStorage().data, { id: project_id, title, isPublic: project.is_public })
  const picker = useRef<() => void>(null)
  const browse = () => picker.current?.()
  const running = uploads.filter(({ options }) => options.project?.id === project_id)

  return (
    <FileDrop onFiles={chosen.choose} invitation={`Drop to add to ${title}`} picker={picker}>
      <Stack gap="md">
        {downloads.length > 0 && <AddFiles project={project} browse={browse} />}
        {chosen.choices.length > 0 && <ChosenFilesForm chosen={chosen} fixedProject />}
        <UploadList uploads={running} queue={queue} />
        {downloads.length > 0 && <LinkedFilesTable project={project} />}
        {downloads.length === 0 && chosen.choices.length === 0 && running.length === 0 && (
          <EmptyState
            icon={IconPackages}
            title="Put the first file here"
            text="Drop it anywhere on this page, choose it, or take one that is on the host already."
            action={<AddFiles project={project} browse={browse} />}
          />
        )}
      </Stack>
    </FileDrop>
  )
}

function AddFiles({ project, browse }: { project: Project; browse: () => void }) {
  return (
    <Group gap="xs">
      <Button leftSection={<IconUpload size={16} />} onClick={browse}>
        Upload files
      </Button>
      <LinkFiles project={project} />
    </Group>
  )
}
