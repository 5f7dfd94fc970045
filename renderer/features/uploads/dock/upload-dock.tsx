import { Anchor, Group, Paper, Progress, Text } from '@mantine/core'
import { Link, useMatch } from 'react-router-dom'
import { routes } from '../../../../server/contract/routes'
import { paths } from '../../../paths'
import { usePublishRequest } from '../drop/drop-place'
import { hasWarnings } from '../upload'
import { UploadAnnouncer } from './upload-announcer'
import classes from './upload-dock.module.css'
import { totalsOf, totalsText } from '../queue/upload-totals'
import { useUploads } from '../queue/use-uploads'

/** Shows uploads on every page without its own list; announces them on every page. */
export function UploadDock() {
  const { uploads: all } = useUploads()
  const request = usePublishRequest()

  // The open sheet shows its own.
  const uploads = all.filter(({ file }) => !request?.files.includes(file))
  const isListed = useMatch(paths.myFiles) !== null
  const isOnProject = useMatch(routes.project) !== null
  // A finished build is listed by its project too.
  const isNews = uploads.some(
    (upload) => upload.state !== 'done' || (hasWarnings(upload) && !isOnProject),
  )

  return (
    <>
      <UploadAnnouncer uploads={all} />
      {isNews && !isListed && (
        <Paper
          component="aside"
          withBorder
          shadow="md"
          className={classes.dock}
          data-at-bottom="dock"
          aria-label="Uploads"
        >
          <Group justify="space-between" wrap="nowrap" gap="md">
            <Text fw={600} truncate title={totalsText(uploads)}>
              {totalsText(uploads)}
            </Text>
            <Anchor component={Link} to={paths.myFiles} size="sm">
              Show
            </Anchor>
          </Group>
          <Progress
            value={Math.floor(totalsOf(uploads).share * 100)}
            size="sm"
            mt={8}
            transitionDuration={200}
            aria-label="Uploads"
          />
        </Paper>
      )}
    </>
  )
}
