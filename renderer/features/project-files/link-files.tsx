import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle, IconLink } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BuildWarning, File, Project } from '../../../server/contract'
import { messages } from '../../lib/texts/messages'
import { SearchInput } from '../../ui/table/search-input'
import { useClient } from '../../lib/client/client-context'
import { notifySuccess } from '../../ui/feedback/notify'
import { eachFile, reasonsText } from '../../lib/client/each-file'
import { commonPlatform, prepareRelease, type ReleaseWish } from '../uploads/form/prepare-release'
import { ReleaseFields } from '../uploads/form/release-fields'
import { FilePicker } from './file-picker'
import type { WarnedFile } from './link-warnings'
import { useLinkableFiles } from './use-linkable-files'
import { refreshProjects } from './use-linked-files'

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
  const [release, setRelease] = useState<ReleaseWish>({ version, channel: '', isDraft: false })
  const [platform, setPlatform] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const linking = useLinkFiles(project.project_id, onWarnings, onDone)

  const platformShown = platform ?? commonPlatform(selected.map(({ filename }) => filename))
  const submit = (event: React.SyntheticEvent) => {
    event.preventDefault()
    if (linking.isPending) return
    if (selected.length === 0) return setProblem(messages.project.selectFile)
    const files = { files: selected, release, platform: platformShown }
    // Keeps the last failure until the next answer: a shrinking dialog would move its button under a double click.
    linking.mutate(files, { onError: ({ message }) => setProblem(message) })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {problem && <Alert role="alert" color="red" variant="light" icon={<IconAlertTriangle />} title={problem} />}
        <SearchInput label="Search your files" value={typed} onChange={setTyped} />
        <FilePicker linkable={linkable} isSearch={search !== ''} selected={selected} onChange={setSelected} />
        <ReleaseFields
          {...release}
          projectId={project.project_id}
          platform={platformShown}
          onChange={({ platform: typedPlatform, ...news }) => {
            if (typedPlatform !== undefined) setPlatform(typedPlatform)
            setRelease((current) => ({ ...current, ...news }))
          }}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="subtle" color="gray" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={linking.isPending}>
            {selected.length > 1 ? `Add ${selected.length} files` : 'Add to project'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface Linking {
  files: readonly File[]
  release: ReleaseWish
  platform: string
}

/** Adds files to a project. Failures are named; the others stay added. */
function useLinkFiles(projectId: string, onWarnings: LinkFilesProps['onWarnings'], onAdded: () => void) {
  const client = useClient()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ files, release, platform }: Linking) => {
      await prepareRelease(client, projectId, release)
      const fields = { version: release.version.trim() || null, platform: platform.trim() || null }
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
      if (outcome.failures.length > 0) throw new Error(`${messages.project.addFilesFailed}. ${reasonsText(outcome)}`)
    },
    onSuccess: (_, { files }) => {
      notifySuccess(messages.project.filesAdded(files.length))
      onAdded()
    },
    onSettled: () => refreshProjects(cache),
  })
}
