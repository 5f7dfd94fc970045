import { Modal } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { File, Project } from '../../../server/contract'
import { SearchInput } from '../../ui/table/search-input'
import { useApiForm } from '../../lib/forms/use-api-form'
import { FormFrame } from '../../ui/form-frame'
import { commonPlatform } from '../uploads/form/prepare-release'
import { useLinkFiles, type WarnedFile } from '../files/projects/use-link-files'
import { HandedOver, ReleaseFields } from '../uploads/form/release-fields'
import { FilePicker } from './file-picker'
import { useLinkableFiles } from './use-linkable-files'

export interface LinkFilesProps {
  project: Project
  /** The version that the form starts with. */
  version: string
  /** Called with files that were added with warnings. */
  onWarnings: (files: readonly WarnedFile[]) => void
}

/** Adds files that are already on the host to a project. */
export function LinkFilesDialog({
  isOpen,
  onClose,
  ...props
}: LinkFilesProps & { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={`Add files to ${props.project.title}`}
      size="lg"
      returnFocus={false}
    >
      <LinkFilesForm {...props} onDone={onClose} />
    </Modal>
  )
}

function LinkFilesForm({
  project,
  version,
  onWarnings,
  onDone,
}: LinkFilesProps & { onDone: () => void }) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const linkable = useLinkableFiles(project, search)
  const [chosen, setSelected] = useState<readonly File[]>([])

  // Excludes files added before another one failed.
  const selected = chosen.filter(
    ({ file_id }) => !project.downloads.some((linked) => linked.file_id === file_id),
  )

  const link = useLinkFiles(onWarnings)
  const form = useApiForm({
    saved: {
      version,
      channel: '',
      isDraft: false,
      platform: commonPlatform(selected.map(({ filename }) => filename)),
    },
    send: async (values) => {
      if (selected.length === 0) throw new Error('Please select at least one file')
      await link({ projectId: project.project_id, files: selected, release: values })
      onDone()
    },
    failed: (cause) => ({ text: cause instanceof Error ? cause.message : '' }),
  })

  return (
    <FormFrame
      form={form}
      submit={selected.length > 1 ? `Add ${selected.length} files` : 'Add to project'}
      onCancel={onDone}
    >
      <SearchInput label="Search your files" value={typed} onChange={setTyped} />
      <FilePicker
        linkable={linkable}
        isSearch={search !== ''}
        selected={selected}
        onChange={setSelected}
      />
      <HandedOver project={project} />
      <ReleaseFields form={form} projectId={project.project_id} />
    </FormFrame>
  )
}
