import { useState } from 'react'
import type { Project } from '../../../server/contract'
import { DataTable } from '../../ui/table/data-table'
import { Pager } from '../../ui/table/pager'
import { useDetails } from '../files/facts/use-details'
import { FILES_PER_PAGE } from '../files/use-my-files'
import { linkedFileColumns } from './linked-file-columns'
import { useLinkedFiles } from './use-linked-files'

export function LinkedFilesTable({ project }: { project: Project }) {
  const { publish, unlink } = useLinkedFiles(project)
  const details = useDetails()
  const [wanted, setPage] = useState(1)
  const page = Math.min(wanted, Math.max(1, Math.ceil(project.downloads.length / FILES_PER_PAGE)))
  return (
    <div>
      <DataTable
        label="Files of this project"
        rows={project.downloads.slice((page - 1) * FILES_PER_PAGE, page * FILES_PER_PAGE)}
        rowKey={({ file_id }) => file_id}
        columns={linkedFileColumns(project, { publish, remove: (file) => void unlink(file), show: details.show })}
      />
      <Pager page={page} pageSize={FILES_PER_PAGE} total={project.downloads.length} onPage={setPage} />
      {details.drawer}
    </div>
  )
}
