import { Button, Card, Divider, Group, Modal, Stack, Text, Title } from '@mantine/core'
import { IconFolderPlus } from '@tabler/icons-react'
import { Fragment, useState } from 'react'
import type { Project, Watch } from '../../../server/contract'
import { Loaded } from '../../ui/feedback/loaded'
import { useWatches } from './use-watches'
import { WatchForm } from './watch-form'
import { WatchRow } from './watch-row'

export function WatchedFolders({ project: { project_id } }: { project: Project }) {
  const watches = useWatches(project_id)
  const [editing, setEditing] = useState<{ watch: Watch | undefined }>()
  const [isOpen, setOpen] = useState(false)

  const open = (watch?: Watch) => {
    setEditing({ watch })
    setOpen(true)
  }
  const close = () => setOpen(false)

  return (
    <Card component="section" aria-label="Watched folders">
      <Group justify="space-between" gap="md">
        <Stack gap={4} flex="1 1 16rem">
          <Title order={2} size="h3">
            Watched folders
          </Title>
          <Text c="dimmed">
            Slipway adds new builds in a folder of this computer to this project.
          </Text>
        </Stack>
        <Button variant="default" leftSection={<IconFolderPlus size={16} />} onClick={() => open()}>
          Watch a folder
        </Button>
      </Group>
      <Loaded query={watches} title="The watched folders could not be loaded">
        {(folders) =>
          folders.map((watch) => (
            <Fragment key={watch.watch_id}>
              <Divider my="md" />
              <WatchRow projectId={project_id} watch={watch} onEdit={() => open(watch)} />
            </Fragment>
          ))
        }
      </Loaded>
      <Modal
        opened={isOpen}
        onClose={close}
        title={editing?.watch ? 'Change watched folder' : 'Watch a folder'}
      >
        <WatchForm projectId={project_id} watch={editing?.watch} onDone={close} />
      </Modal>
    </Card>
  )
}
