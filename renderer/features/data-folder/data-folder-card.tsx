import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import type { DataFolder } from '../../../server/contract'
import { isAppWindow, showDataFolder } from '../../lib/browser/desktop'
import { formatSize } from '../../lib/texts/format'
import { CodeBlock } from '../../ui/text/code-block'
import { Disclosure } from '../../ui/layout/disclosure'
import { Warning } from '../../ui/feedback/warning'
import classes from './data.module.css'
import { DiskWarning } from './disk-room'
import { MoveProgress } from './move-progress'
import { useDataFolderActions } from './use-data-folder'

export function DataFolderCard({ data }: { data: DataFolder }) {
  const { path, disk, move, movable, failure, old } = data
  const { moving, cancelling, removing } = useDataFolderActions()

  return (
    <Card component="section" aria-label="Data folder">
      <Stack gap="md">
        <Title order={2} size="h3">
          Data folder
        </Title>
        <Stack gap={4}>
          <Text className={classes.path}>{path}</Text>
          <Text c="dimmed">
            {disk
              ? `${formatSize(disk.free)} of ${formatSize(disk.total)} free on its disk.`
              : 'The disk does not respond. Connect it again.'}
          </Text>
        </Stack>
        {disk && <DiskWarning disk={disk} />}
        {failure !== null && <Warning title="The data folder was not changed">{failure}</Warning>}
        {move && (
          <MoveProgress
            move={move}
            onCancel={() => cancelling.mutate()}
            isCancelling={cancelling.isPending}
          />
        )}
        {!move && movable && isAppWindow() && (
          <Group gap="xs">
            <Button variant="default" loading={moving.isPending} onClick={() => moving.mutate()}>
              Move to another folder
            </Button>
            <Button variant="default" onClick={() => void showDataFolder()}>
              Show folder
            </Button>
          </Group>
        )}
        {!(movable && isAppWindow()) && (
          <>
            <Text c="dimmed">You can move the data in the Slipway app only.</Text>
            {!isAppWindow() && (
              <Disclosure label="How to move the data of a host without a window">
                <Stack gap="xs">
                  <Text>Stop Slipway, move the folder, and start Slipway with the new one:</Text>
                  <CodeBlock
                    label="Move the data"
                    code={`mv "${path}" /new/folder\nslipway serve --data /new/folder`}
                  />
                </Stack>
              </Disclosure>
            )}
          </>
        )}
        {!move && old !== null && (
          <OldFolder
            path={old}
            isPending={removing.isPending}
            onRemove={() => removing.mutate(old)}
          />
        )}
      </Stack>
    </Card>
  )
}

function OldFolder({
  path,
  isPending,
  onRemove,
}: {
  path: string
  isPending: boolean
  onRemove: () => void
}) {
  return (
    <Stack gap="xs" className={classes.old}>
      <Text>The old folder still exists. Slipway no longer uses it.</Text>
      <Text className={classes.path}>{path}</Text>
      <Group>
        <Button variant="default" loading={isPending} onClick={onRemove}>
          Move old folder to the trash
        </Button>
      </Group>
    </Stack>
  )
}
