import type { QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { LinkedFile, Project } from '../../../server/contract'
import { fileLists, queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { messages } from '../../lib/texts/messages'
import { confirm } from '../../ui/dialog/confirm'
import { DataTable } from '../../ui/table/data-table'
import { Pager } from '../../ui/table/pager'
import { useDetails } from '../files/facts/use-details'
import { FILES_PER_PAGE } from '../files/use-my-files'
import { linkedFileColumns } from './linked-file-columns'

export function LinkedFilesTable({ project }: { project: Project }) {
  const { publish, unlink } = useLinkedFiles(project)
  const details = useDetails()
  const [requestedPage, setPage] = useState(1)

  const page = Math.min(
    requestedPage,
    Math.max(1, Math.ceil(project.downloads.length / FILES_PER_PAGE)),
  )

  return (
    <div>
      <DataTable
        label="Files of this project"
        rows={project.downloads.slice((page - 1) * FILES_PER_PAGE, page * FILES_PER_PAGE)}
        rowKey={({ file_id }) => file_id}
        nameOf={({ filename }) => filename}
        columns={linkedFileColumns(project, { publish, remove: unlink, show: details.show })}
      />
      <Pager
        page={page}
        pageSize={FILES_PER_PAGE}
        total={project.downloads.length}
        onPage={setPage}
      />
      {details.drawer}
    </div>
  )
}

function useLinkedFiles({ project_id: id }: Project) {
  const publishing = useCall(
    (client, { file_id }: LinkedFile) =>
      client.files.setVisibility({ id: file_id, is_public: true }),
    { show: showPublic, failed: messages.file.visibilityFailed, refresh: fileLists },
  )

  const unlinking = useCall(
    (client, { file_id }: LinkedFile) => client.projects.unlink({ id, downloadId: file_id }),
    {
      ask: ({ filename }) =>
        confirm({
          title: `Remove ${filename}`,
          message: 'Remove this file from the project?',
          confirmLabel: 'Remove',
          danger: true,
        }),
      done: 'File removed from project',
      failed: 'Failed to remove file',
      refresh: fileLists,
    },
  )

  return { publish: publishing.mutate, unlink: unlinking.mutate }
}

/** Shows a file as public before the host confirms. Returns the undo. */
async function showPublic(cache: QueryClient, { file_id }: LinkedFile) {
  const opened = { queryKey: queryKeys.projects.one('').slice(0, 2) }
  await cache.cancelQueries(opened)
  const before = cache.getQueriesData<Project>(opened)
  const changeFile = (file: LinkedFile) =>
    file.file_id === file_id ? { ...file, is_public: true } : file
  cache.setQueriesData<Project>(
    opened,
    (project) => project && { ...project, downloads: project.downloads.map(changeFile) },
  )
  return () => before.forEach(([key, project]) => cache.setQueryData(key, project))
}
