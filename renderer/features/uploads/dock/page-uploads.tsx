import { useEffect } from 'react'
import { useUploads } from '../queue/use-uploads'
import { UnfinishedUploads } from './unfinished-uploads'
import { UploadList } from './upload-list'
import { useUnfinished } from './use-unfinished'

interface PageUploadsProps {
  /** Only the uploads for this project. Without it, also those that were interrupted. */
  projectId?: string
  /** Called when the first one appears and when the last one disappears. */
  onBusy: (isBusy: boolean) => void
}

/** The uploads that belong to the open page. */
export const PageUploads = ({ projectId, onBusy }: PageUploadsProps) =>
  projectId === undefined ? (
    <AllUploads onBusy={onBusy} />
  ) : (
    <ProjectUploads projectId={projectId} onBusy={onBusy} />
  )

function AllUploads({ onBusy }: PageUploadsProps) {
  const { uploads, queue } = useUploads()
  const interrupted = useUnfinished()
  useBusy(uploads.length > 0 || interrupted.unfinished.length > 0, onBusy)
  return (
    <>
      <UploadList uploads={uploads} queue={queue} />
      <UnfinishedUploads {...interrupted} />
    </>
  )
}

function ProjectUploads({ projectId, onBusy }: PageUploadsProps) {
  const { uploads, queue } = useUploads()
  const running = uploads.filter(({ options }) => options.project?.id === projectId)
  useBusy(running.length > 0, onBusy)
  return <UploadList uploads={running} queue={queue} />
}

const useBusy = (isBusy: boolean, onBusy: (isBusy: boolean) => void) =>
  useEffect(() => onBusy(isBusy), [isBusy, onBusy])
