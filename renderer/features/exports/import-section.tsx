import {
  Alert,
  Anchor,
  Button,
  FileButton,
  Group,
  List,
  Progress,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconUpload } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { formatFiles, formatSize } from '../../../server/texts/format'
import { paths } from '../../paths'
import type { ImportResult } from './import-export'
import { useImport, type ImportState } from './use-import'

type Running = Extract<ImportState, { step: 'sending' | 'importing' }>
type Failed = Extract<ImportState, { step: 'failed' }>

/** Brings an export into this host. */
export function ImportSection() {
  const { state, start, again, stop } = useImport()
  const isRunning = state.step === 'sending' || state.step === 'importing'

  return (
    <Stack component="section" aria-labelledby="import" gap="sm">
      <Title order={2} size="h3" id="import">
        Import
      </Title>
      <Group justify="space-between" align="flex-start" gap="md">
        <Text flex="1 1 18rem">
          Brings the projects and files of an export into this host, with their dates. Nothing that
          you have is changed, and an export that is damaged or too large is refused as a whole.
        </Text>
        {isRunning ? (
          <Button variant="default" onClick={stop}>
            Cancel
          </Button>
        ) : (
          <FileButton
            accept=".zip,application/zip"
            onChange={(file) => file && start(file)}
            inputProps={{ 'aria-label': 'ZIP to import' }}
          >
            {(picker) => (
              <Button variant="default" leftSection={<IconUpload size={16} />} {...picker}>
                Choose a ZIP
              </Button>
            )}
          </FileButton>
        )}
      </Group>
      {isRunning && <ImportProgress state={state} />}
      {state.step === 'failed' && <ImportFailure state={state} onAgain={again} />}
      {state.step === 'done' && <ImportDone result={state.result} />}
    </Stack>
  )
}

function ImportProgress({ state: { step, done, size, isWaiting = false } }: { state: Running }) {
  const name = step === 'sending' ? 'Uploading' : 'Importing'
  const text = isWaiting
    ? 'Interrupted. The upload resumes when the host answers.'
    : step === 'importing' && size === 0
      ? 'Checking the ZIP …'
      : `${name} · ${formatSize(done)} of ${formatSize(size)}`

  return (
    <Stack gap={4}>
      <Progress value={size === 0 ? 0 : (100 * done) / size} aria-label={`${name} the export`} />
      <Text c="dimmed" size="sm" role="status">
        {text}
      </Text>
    </Stack>
  )
}

function ImportFailure({
  state: { error, fileId },
  onAgain,
}: {
  state: Failed
  onAgain: (asCopy: boolean) => void
}) {
  const isKnown = error.code === 'taken'

  return (
    <Alert
      role="alert"
      color={isKnown ? 'orange' : 'red'}
      variant="light"
      icon={<IconAlertTriangle />}
      title={isKnown ? 'You have this already' : 'Nothing was imported'}
      styles={isKnown ? { title: { color: 'var(--mantine-color-text)' } } : {}}
    >
      <Stack align="flex-start" gap="sm">
        <Text>
          {error.message}.
          {fileId !== undefined && !isKnown && ' The ZIP stays in My Files until you delete it.'}
        </Text>
        <Button size="xs" variant="default" onClick={() => onAgain(isKnown)}>
          {isKnown ? 'Import as copies' : 'Try again'}
        </Button>
      </Stack>
    </Alert>
  )
}

function ImportDone({ result: { files, projects } }: { result: ImportResult }) {
  return (
    <Alert
      role="status"
      color="green"
      variant="light"
      icon={<IconCheck />}
      title={`Imported ${formatFiles(files)} and ${formatProjects(projects.length)}`}
    >
      <List spacing={4} size="sm">
        {projects.map(({ project_id, title, slug, exported_slug }) => (
          <List.Item key={project_id}>
            <Anchor component={Link} to={paths.project(project_id)}>
              {title}
            </Anchor>
            {slug !== exported_slug && ` · its address is /p/${slug} now`}
          </List.Item>
        ))}
      </List>
      <Text size="sm" mt={projects.length === 0 ? 0 : 'xs'}>
        The ZIP is in the trash. Add collaborators, tester links and webhooks again.
      </Text>
    </Alert>
  )
}

const formatProjects = (count: number) => `${count} ${count === 1 ? 'project' : 'projects'}`
