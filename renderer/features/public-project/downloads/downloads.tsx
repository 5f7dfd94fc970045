import { Button, Group, Text, Title } from '@mantine/core'
import { IconPackageOff } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import type { LinkedFile, Project } from '../../../../server/contract'
import { wholeOf } from '../../../lib/words/format'
import { downloadUrl, paths } from '../../../paths'
import { DataTable } from '../../../ui/table/data-table'
import { DownloadAll } from '../../../ui/file/download-all'
import { EmptyState } from '../../../ui/feedback/empty-state'
import type { Choice } from '../../../../server/contract/visitor/choose-download'
import { otherFileColumns } from './other-file-columns'
import { PrimaryDownload } from './primary-download'
import { usePublishFile } from '../use-public-project'

/** The main download, and the other files below it. */
export function Downloads({ project, choice }: { project: Project; choice: Choice }) {
  const { primary, fits, others } = choice
  return (
    <>
      {primary ? (
        <PrimaryDownload project={project} file={primary} fits={fits} />
      ) : (
        <NothingOffered project={project} />
      )}
      {others.length > 0 && <OtherFiles project={project} files={others} />}
    </>
  )
}

function OtherFiles({ project, files }: { project: Project; files: readonly LinkedFile[] }) {
  const publish = usePublishFile()
  return (
    <section aria-labelledby="other-files">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="other-files">
          Other files
        </Title>
        {project.downloads.length > 1 && (
          <DownloadAll href={downloadUrl.wholeProject(project.project_id)} what={wholeOf(project.downloads)} />
        )}
      </Group>
      <DataTable
        label="Other files"
        rows={files}
        rowKey={({ file_id }) => file_id}
        columns={otherFileColumns({ projectId: project.project_id, publish: publish.mutate })}
      />
      {files.some(({ is_public }) => !is_public) && (
        <Text size="xs" c="dimmed" mt="xs">
          Visitors do not see the files that are marked private.
        </Text>
      )}
    </section>
  )
}

function NothingOffered({ project: { can, project_id, downloads } }: { project: Project }) {
  const manages = can.includes('link')
  const text = downloads.length > 0 ? 'The files of this project are still private.' : 'No file has been added yet.'
  return (
    <div>
      <EmptyState
        icon={IconPackageOff}
        title="Nothing to download yet"
        text={manages ? `${text} Visitors see this until you change it.` : `${text} Come back later.`}
        action={
          manages && (
            <Button component={Link} to={paths.project(project_id)}>
              Manage files
            </Button>
          )
        }
      />
    </div>
  )
}
