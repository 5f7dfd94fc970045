import { Anchor, Group, Paper, Progress, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link, useMatch } from 'react-router-dom'
import { useSession } from '../../lib/session'
import { paths } from '../../paths'
import classes from './upload-dock.module.css'
import { isUnfinished, shareDone, type Upload } from './upload-queue'
import { useUploads } from './use-uploads'

/** Running uploads on every page but the one that lists them anyway. */
export function UploadDock() {
  const { uploads, queue } = useUploads()
  const { user, left } = useSession()
  const isListed = useMatch(paths.myFiles) !== null
  useForgetOtherPeople(user?.user_id, left, queue.clear)

  const shown = uploads.filter((upload) => isUnfinished(upload) || upload.state !== 'done')
  if (isListed || shown.length === 0) return null
  const failed = shown.filter(({ state }) => state === 'failed' || state === 'unlinked').length
  return (
    <Paper component="aside" withBorder shadow="md" className={classes.dock} aria-label="Uploads">
      <Group justify="space-between" wrap="nowrap" gap="md">
        <Text fw={600} truncate>
          {summary(shown, failed)}
        </Text>
        <Anchor component={Link} to={paths.myFiles} size="sm">
          Show
        </Anchor>
      </Group>
      <Progress value={overall(uploads)} size="sm" mt={8} transitionDuration={200} aria-label="Uploads" />
    </Paper>
  )
}

function summary(shown: readonly Upload[], failed: number): string {
  const [first] = shown
  const running = shown.length - failed
  if (running === 0) return failed === 1 ? '1 upload failed' : `${failed} uploads failed`
  if (running === 1 && failed === 0 && first) return `Uploading ${first.file.name}`
  return `Uploading ${running} ${running === 1 ? 'file' : 'files'}${failed > 0 ? `, ${failed} failed` : ''}`
}

/** Percent of all bytes. */
function overall(uploads: readonly Upload[]): number {
  const total = uploads.reduce((sum, { file }) => sum + file.size, 0)
  const done = uploads.reduce((sum, upload) => sum + shareDone(upload) * upload.file.size, 0)
  return total === 0 ? 0 : Math.floor((done / total) * 100)
}

/** Uploads belong to who started them: they end at a sign-out, and when another person signs in. */
function useForgetOtherPeople(userId: string | undefined, left: boolean, clear: () => void): void {
  const owner = useRef(userId)
  useEffect(() => {
    if (left || (userId !== undefined && owner.current !== undefined && owner.current !== userId)) clear()
    owner.current = userId ?? owner.current
  }, [userId, left, clear])
}
