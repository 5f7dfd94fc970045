import { Button } from '@mantine/core'
import { IconPackageOff } from '@tabler/icons-react'
import { Suspense } from 'react'
import { Link } from 'react-router-dom'
import type { Project } from '../../../server/contract'
import { usePublishFile } from '../../lib/hooks/use-publish-file'
import { useSession } from '../../lib/session/session'
import { lazyPage } from '../../lib/browser/lazy-page'
import { messages } from '../../lib/texts/messages'
import { paths } from '../../paths'
import { EmptyState } from '../../ui/feedback/empty-state'
import { CardSkeleton } from '../../ui/table/skeletons'
import { DigestMark } from '../../ui/text/digest-mark'
import type { ProjectSlots } from '../../visitor/project/page-props'
import { CheckLines } from './check-lines'
import type { PostsComponent } from './posts-component'

const OnlyThisComputer = lazyPage(
  () => import('../../lib/links/only-this-computer'),
  'OnlyThisComputer',
)

/** The parts that only the app adds to the page of a project. */
export function useProjectSlots(project: Project, Updates: PostsComponent): ProjectSlots {
  const publish = usePublishFile()
  const { user } = useSession()
  const { project_id, role, can } = project

  return {
    manage: role !== null && (
      <Button component={Link} to={paths.project(project_id)} variant="default">
        Manage
      </Button>
    ),
    alone: (sentence) =>
      user && (
        <Suspense>
          <OnlyThisComputer text={sentence} />
        </Suspense>
      ),
    updates: (
      <Suspense fallback={<CardSkeleton />}>
        <Updates projectId={project_id} canPost={false} isQuiet={role === null} />
      </Suspense>
    ),
    nothing: can.includes('link') ? <NothingOffered project={project} /> : null,
    check: (file) => <CheckLines project={project} file={file} />,
    digest: ({ sha256, filename }) => <DigestMark sha256={sha256} filename={filename} />,
    publish: ({ file_id, filename, ...file }) =>
      file.can.includes('publish') && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={`${messages.file.makePublic}: ${filename}`}
          onClick={() => publish(file_id)}
        >
          {messages.file.makePublic}
        </Button>
      ),
  }
}

function NothingOffered({ project: { project_id, downloads } }: { project: Project }) {
  const text =
    downloads.length > 0
      ? 'The files of this project are still private.'
      : 'No file has been added yet.'

  return (
    <EmptyState
      icon={IconPackageOff}
      title="Nothing to download yet"
      text={`${text} Visitors see this until you change it.`}
      action={
        <Button component={Link} to={paths.project(project_id)}>
          Manage files
        </Button>
      }
    />
  )
}
