import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle, IconLink } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BuildWarning, File, Project } from '../../../server/contract'
import { messages } from '../../lib/words/messages'
import { SearchInput } from '../../ui/table/search-input'
import { useClient } from '../../lib/client/client-context'
import { notifySuccess } from '../../ui/feedback/notify'
import { eachFile, reasonsText } from '../../lib/client/each-file'
import { commonPlatform } from '../uploads/form/common-platform'
import { ReleaseFields } from '../uploads/form/release-fields'
import { FilePicker } from './file-picker'
import type { WarnedFile } from './link-warnings'
import { useLinkableFiles } from './use-linkable-files'
import { refreshProjects } from './use-linked-files'

interface LinkFilesProps {
  project: Project
  /** Called with files that were added with warnings. */
  onWarnings: (files: readonly WarnedFile[]) => void
}

export function LinkFiles({ project, onWarnings }: LinkFilesProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button variant="default" leftSection={<IconLink size={16} />} onClick={open}>
        Add existing files
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Add files to ${project.title}`} size="lg">
        <LinkFilesForm project={project} onWarnings={onWarnings} onDone={close} />
      </Modal>
    </>
  )
}

function LinkFilesForm({ project, onWarnings, onDone }: LinkFilesProps & { onDone: () => void }) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const linkable = useLinkableFiles(project, search)
  const [chosen, setSelected] = useState<readonly File[]>([])
  // Excludes files added before another one failed.
  const selected = chosen.filter(({ file_id }) => !project.downloads.some((linked) => linked.file_id === file_id))
  const [version, setVersion] = useState('')
  const [platform, setPlatform] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const linking = useLinkFiles(project.project_id, onWarnings, onDone)

  const platformShown = platform ?? commonPlatform(selected.map(({ filename }) => filename))
  const submit = (event: React.SyntheticEvent) => {
    event.preventDefault()
    if (linking.isPending) return
    if (selected.length === 0) return setProblem(messages.project.selectFile)
    const files = { files: selected, version, platform: platformShown }
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
          version={version}
          platform={platformShown}
          onChange={(news) => {
            if (news.version !== undefined) setVersion(news.version)
            if (news.platform !== undefined) setPlatform(news.platform)
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
  version: string
  platform: string
}

/** Adds files to a project. Failures are named; the others stay added. */
function useLinkFiles(projectId: string, onWarnings: LinkFilesProps['onWarnings'], onAdded: () => void) {
  const client = useClient()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ files, version, platform }: Linking) => {
      const release = { version: version.trim() || null, platform: platform.trim() || null }
      const warnings: (BuildWarning & { id: string })[] = []
      const link = async (file_ids: string[]) => {
        const some = await client.projects.linkMany({ id: projectId, file_ids, ...release })
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
