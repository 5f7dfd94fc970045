import { Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Project } from '../../../server/contract'
import { calls } from '../../../server/contract/calls'
import { address } from '../../lib/client/api-client'
import { useCall } from '../../lib/client/use-call'
import { queryKeys } from '../../lib/client/query-keys'
import { useHost } from '../../lib/host/host'
import { cutText } from '../../lib/texts/format'
import { paths } from '../../paths'
import { ShownOnce } from '../../ui/dialog/shown-once'
import { CodeBlock } from '../../ui/text/code-block'

interface DialogProps {
  project: Project
  isOpen: boolean
  onClose: () => void
}

/** Creates the key with which an app reports, and shows how. */
export function AppKeyDialog({ project, isOpen, onClose }: DialogProps) {
  const [key, setKey] = useState<string>()

  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={() => setKey(undefined)}
      title="Report from inside your app"
      // A stray click must not dismiss a key that is shown only once.
      closeOnClickOutside={!key}
      closeOnEscape={!key}
      withCloseButton={!key}
      returnFocus={false}
      size="lg"
    >
      {key === undefined ? (
        <Explained project={project} onCreated={setKey} onClose={onClose} />
      ) : (
        <ShownOnce
          value={key}
          label="API key"
          what="key"
          text="Put it into your app. It can send reports, and nothing else."
          notice={<Example project={project} value={key} />}
          onDone={onClose}
        />
      )}
    </Modal>
  )
}

interface ExplainedProps {
  project: Project
  onCreated: (key: string) => void
  onClose: () => void
}

function Explained({ project, onCreated, onClose }: ExplainedProps) {
  const create = useCall(
    (client) =>
      client.apiKeys.create({
        name: cutText(`Reports from the app ${project.title}`, 100),
        scopes: ['report'],
        project_id: project.project_id,
      }),
    { failed: 'Failed to create the key', refresh: [queryKeys.apiKeys] },
  )

  return (
    <Stack gap="md">
      <Text>
        Your app sends a text, its version and up to five files with one request. Crashes with the
        same signature, which your app chooses, become one entry in the list.
      </Text>
      <Text c="dimmed">
        Anyone who has the app can extract this key, so it can only send reports. If it is misused,
        revoke it on the API Keys page.
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          loading={create.isPending}
          data-autofocus
          onClick={async () => onCreated((await create.mutateAsync(undefined)).api_key)}
        >
          Create key
        </Button>
      </Group>
    </Stack>
  )
}

function Example({ project, value }: { project: Project; value: string }) {
  const { share_url } = useHost()
  const { url } = address(calls.reports.sendAsApp, { id: project.slug })
  const code = `curl --fail-with-body -H "X-API-Key: ${value}" \\
  -F "text=It crashed while it loaded level 3" -F kind=crash -F version=1.4.0 \\
  -F "signature=LevelScene.load" -F file=@crash.log \\
  ${share_url}${url}`

  return (
    <>
      <CodeBlock label="A report with curl" code={code} />
      <Anchor href={`${paths.guide}/apps`} target="_blank">
        The same in Kotlin, Swift, C#, GDScript and JavaScript
      </Anchor>
    </>
  )
}
