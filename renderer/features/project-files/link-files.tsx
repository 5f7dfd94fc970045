import { Button, Modal } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { IconLink } from '@tabler/icons-react'
import { useState } from 'react'
import type { BuildWarning, File, Project } from '../../../server/contract'
import { SearchInput } from '../../ui/table/search-input'
import { useApiForm } from '../../lib/forms/use-api-form'
import { FormFrame } from '../../ui/form-frame'
import { eachFile, reasonsText } from '../../lib/client/each-file'
import { fileLists } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { commonPlatform, prepareRelease, type ReleaseWish } from '../uploads/form/prepare-release'
import { ReleaseFields } from '../uploads/form/release-fields'
import { FilePicker } from './file-picker'
import type { WarnedFile } from './link-warnings'
import { useLinkableFiles } from './use-linkable-files'

interface LinkFilesProps {
  project: Project
  /** The version that the form starts with. */
  version: string
  /** Called with files that were added with warnings. */
  onWarnings: (files: readonly WarnedFile[]) => void
}

export function LinkFiles(props: LinkFilesProps) {
  const { project } = props
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button variant="default" leftSection={<IconLink size={16} />} onClick={open}>
        Add existing files
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Add files to ${project.title}`} size="lg">
        <LinkFilesForm {...props} onDone={close} />
      </Modal>
    </>
  )
}

function LinkFilesForm({ project, version, onWarnings, onDone }: LinkFilesProps & { onDone: () => void }) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const linkable = useLinkableFiles(project, search)
  const [chosen, setSelected] = useState<readonly File[]>([])
  // Excludes files added before another one failed.
  const selected = chosen.filter(({ file_id }) => !project.downloads.some((linked) => linked.file_id === file_id))
  const link = useLinkFiles(project.project_id, onWarnings)
  const form = useApiForm({
    saved: { version, channel: '', isDraft: false, platform: commonPlatform(selected.map(({ filename }) => filename)) },
    send: async (values) => {
      if (selected.length === 0) throw new Error('Please select at least one file')
      await link({ files: selected, release: values })
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
      <FilePicker linkable={linkable} isSearch={search !== ''} selected={selected} onChange={setSelected} />
      <ReleaseFields form={form} projectId={project.project_id} />
    </FormFrame>
  )
}

interface LinkRequest {
  files: readonly File[]
  release: ReleaseWish & { platform: string }
}

/** Adds files to a project. Failures are named; the others stay added. */
const useLinkFiles = (projectId: string, onWarnings: (files: readonly WarnedFile[]) => void) =>
  useCall(
    async (client, { files, release }: LinkRequest) => {
      await prepareRelease(client, projectId, release)
      const fields = { version: release.version.trim() || null, platform: release.platform.trim() || null }
      const warnings: (BuildWarning & { id: string })[] = []
      const link = async (file_ids: string[]) => {
        const some = await client.projects.linkMany({ id: projectId, file_ids, ...fields })
        warnings.push(...some.warnings)
        return some
      }
      const outcome = await eachFile(files, link, () => undefined)
      const warned = files.map(({ file_id, filename }) => ({
        filename,
        warnings: warnings.filter(({ id }) => id === file_id),
      }))
      onWarnings(warned.filter((file) => file.warnings.length > 0))
      if (outcome.failures.length > 0) throw new Error(`Failed to add files. ${reasonsText(outcome)}`)
    },
    { done: (_reply, { files }) => `Successfully added ${files.length} file(s) to project`, refresh: fileLists },
  ).mutateAsync
