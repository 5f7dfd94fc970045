import { Paper } from '@mantine/core'
import classes from './upload-list.module.css'
import type { Upload, UploadQueue } from './upload-queue'
import { UploadRow } from './upload-row'

/** The uploads that are under way, waiting or failed. */
export function UploadList({ uploads, queue }: { uploads: readonly Upload[]; queue: UploadQueue }) {
  if (uploads.length === 0) return null
  return (
    <Paper withBorder component="section" aria-label="Uploads">
      <ul className={classes.list}>
        {uploads.map((upload) => (
          <UploadRow
            key={upload.id}
            upload={upload}
            onRetry={() => queue.retry(upload.id)}
            onRemove={() => queue.remove(upload.id)}
          />
        ))}
      </ul>
    </Paper>
  )
}
