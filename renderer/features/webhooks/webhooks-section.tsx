import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { WEBHOOKS_MAX } from '../../../server/contract/limits'
import type { Project } from '../../../server/contract'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useLateDialog } from '../../ui/dialog/use-late-dialog'
import { Loaded } from '../../ui/feedback/loaded'
import { Warning } from '../../ui/feedback/warning'
import { useRemoveWebhook, useTestWebhook, useWebhooks } from './use-webhooks'
import type { DialogContent } from './webhook-dialog'
import { WebhooksTable } from './webhooks-table'

const WebhookDialog = lazyPage(() => import('./webhook-dialog'), 'WebhookDialog')

/** Where a project sends notifications: chats, phones and programs. */
export function WebhooksSection({ project: { project_id: projectId } }: { project: Project }) {
  const webhooks = useWebhooks(projectId)
  const test = useTestWebhook(projectId)
  const remove = useRemoveWebhook(projectId)
  const [content, setContent] = useState<DialogContent>({})
  const dialog = useLateDialog()

  const open = (next: DialogContent) => {
    setContent(next)
    dialog.open()
  }
  const isFull = (webhooks.data?.length ?? 0) >= WEBHOOKS_MAX

  return (
    <Stack gap="md">
      <Group justify="space-between" gap="md">
        <Text c="dimmed" flex="1 1 16rem">
          Tell a chat, a phone or your own server what happens in this project.
        </Text>
        <Button
          leftSection={<IconPlus size={16} />}
          variant="default"
          disabled={isFull}
          onClick={() => open({})}
        >
          Add webhook
        </Button>
      </Group>
      <Loaded query={webhooks} title="The webhooks could not be loaded" skeleton={null}>
        {(list) =>
          list.length > 0 && (
            <>
              <TurnedOff
                names={list.filter(({ off_reason }) => off_reason !== null).map(({ name }) => name)}
              />
              <WebhooksTable
                webhooks={list}
                onTest={(webhook) => !test.isPending && test.mutate(webhook)}
                onShow={(saved) => open({ saved, shows: 'deliveries' })}
                onEdit={(saved) => open({ saved })}
                onRemove={remove}
              />
            </>
          )
        }
      </Loaded>
      <AfterFirstView isNeeded={dialog.isNeeded}>
        <WebhookDialog
          projectId={projectId}
          isOpen={dialog.isOpen}
          content={content}
          onSecret={(secret) => setContent({ secret })}
          onClose={dialog.close}
        />
      </AfterFirstView>
    </Stack>
  )
}

function TurnedOff({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <Warning title={`${names.join(', ')} ${names.length === 1 ? 'was' : 'were'} turned off`}>
      Messages did not arrive for a day. Send a test, and turn it on again with Change when it
      works.
    </Warning>
  )
}
