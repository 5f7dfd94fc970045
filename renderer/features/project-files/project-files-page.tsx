import { Alert, Anchor, Group, Stack, Text } from '@mantine/core'
import { IconInfoCircle, IconPackages } from '@tabler/icons-react'
import { Suspense, useState, type ComponentType } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import type { Project } from '../../../server/contract'
import { NO_ZIP } from '../../../server/texts/files/damaged-file'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { isAppWindow } from '../../lib/browser/desktop'
import { lazyPage } from '../../lib/browser/lazy-page'
import { wholeOf } from '../../lib/texts/format'
import { useOpenProject } from '../../lib/host/open-project'
import { downloadUrl, paths } from '../../paths'
import { DownloadAll } from '../../ui/file/download-all'
import { EmptyState } from '../../ui/feedback/empty-state'
import { AddFiles } from './add-files'
import { LinkWarnings } from './link-warnings'
import type { WarnedFile } from '../files/projects/use-link-files'
import { LinkedFilesTable } from './linked-files-table'

const PageUploads = lazyPage(() => import('../uploads/dock/page-uploads'), 'PageUploads')

interface ProjectFilesPageProps {
  /** The project's watched folders, for its owner in the app window. */
  Watched: ComponentType<{ project: Project }>
}

export function ProjectFilesPage({ Watched }: ProjectFilesPageProps) {
  const project = useOpenProject()
  if (project.can.includes('link'))
    return <OwnFiles key={project.project_id} project={project} Watched={Watched} />

  if (project.downloads.length > 0) {
    return (
      <Stack gap="md">
        <Group>
          <AllFiles project={project} />
        </Group>
        <LinkedFilesTable project={project} />
      </Stack>
    )
  }

  return (
    <EmptyState
      icon={IconPackages}
      title="No files yet"
      text={`${project.owner} has not added any files.`}
    />
  )
}

function OwnFiles({ project, Watched }: { project: Project } & ProjectFilesPageProps) {
  const { project_id, downloads } = project
  const [isBusy, setBusy] = useState(false)
  const [params] = useSearchParams()

  const version = params.get('version') ?? ''
  const [warned, setWarned] = useState<readonly WarnedFile[]>([])
  const add = <AddFiles key={version} project={project} version={version} onWarnings={setWarned} />

  return (
    <Stack gap="md">
      {version !== '' && <ForRelease project={project} version={version} />}
      {downloads.length > 0 && (
        <Group justify="space-between" gap="xs">
          {add}
          <AllFiles project={project} />
        </Group>
      )}
      {warned.length > 0 && <LinkWarnings files={warned} onDismiss={() => setWarned([])} />}
      <AfterFirstView>
        <PageUploads projectId={project_id} onBusy={setBusy} />
      </AfterFirstView>
      {downloads.length > 0 && <LinkedFilesTable project={project} />}
      {downloads.length === 0 && !isBusy && (
        <EmptyState
          icon={IconPackages}
          title="Add the first file"
          text="Drop it anywhere on this page, choose it, or add one that is already on the host."
          action={add}
        />
      )}
      <Suspense>
        {isAppWindow() && project.role === 'owner' && <Watched project={project} />}
      </Suspense>
    </Stack>
  )
}

/** Says which release the forms of this page start with. */
function ForRelease({ project: { project_id }, version }: { project: Project; version: string }) {
  return (
    <Alert variant="light" icon={<IconInfoCircle />}>
      New files go into release <bdi>{version}</bdi>.{' '}
      <Anchor component={Link} to={paths.projectReleases(project_id)} inherit underline="always">
        Back to the releases
      </Anchor>
    </Alert>
  )
}

function AllFiles({ project: { project_id, downloads } }: { project: Project }) {
  if (downloads.length < 2) return null
  if (downloads.some(({ is_damaged }) => is_damaged))
    return (
      <Text size="sm" c="dimmed">
        {NO_ZIP}
      </Text>
    )
  return <DownloadAll href={downloadUrl.wholeProject(project_id)} what={wholeOf(downloads)} />
}
