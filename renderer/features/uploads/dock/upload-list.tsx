import { Paper } from '@mantine/core'
import type { Upload } from '../upload'
import classes from './upload-list.module.css'
import type { UploadQueue } from '../queue/upload-queue'
import { UploadRow } from './upload-row'
import { UploadTotalsBar } from './upload-totals-bar'

export function UploadList({
  uploads: all,
  queue,
}: {
  uploads: readonly Upload[]
  queue: UploadQueue
}) {
  // The sheet shows those that wait for a decision.
  const uploads = all.filter(({ isHeld }) => !isHeld)
  const visibleUploads = uploads.filter(({ retired }) => !retired)
  if (visibleUploads.length === 0) return null

  return (
    <Paper withBorder component="section" aria-label="Uploads">
      {uploads.length > 1 && <UploadTotalsBar uploads={uploads} queue={queue} />}
      <ul className={classes.list}>
        {visibleUploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} queue={queue} />
        ))}
      </ul>
    </Paper>
  )
}
