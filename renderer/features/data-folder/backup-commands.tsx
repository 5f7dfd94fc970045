import { Stack, Text } from '@mantine/core'
import { Disclosure } from '../../ui/layout/disclosure'
import { CodeBlock } from '../../ui/text/code-block'

/** How to back up and restore a host without a window. */
export const BackupCommands = (props: { folder: string; dataPath: string }) => (
  <>
    <BackupCommand {...props} />
    <RestoreSteps {...props} />
  </>
)

const BackupCommand = ({ dataPath }: { dataPath: string }) => (
  <Disclosure label="How to back up a host without a window">
    <Stack gap="xs">
      <Text>Run this on the host, also while Slipway runs, with your own backup folder:</Text>
      <CodeBlock label="Back up" code={`slipway backup /mnt/backup/slipway --data "${dataPath}"`} />
      <FromSources />
    </Stack>
  </Disclosure>
)

const FromSources = () => (
  <Text c="dimmed" size="sm">
    If you run Slipway from its sources, write “npm run slipway --” in place of “slipway”.
  </Text>
)

function RestoreSteps({ folder, dataPath }: { folder: string; dataPath: string }) {
  const restored = `${dataPath}-restored`

  return (
    <Disclosure label="How to restore a backup">
      <Stack gap="xs">
        <Text>
          Run this in a terminal. It restores the newest backup into a new folder and checks every
          byte:
        </Text>
        <CodeBlock label="Restore" code={`slipway restore "${folder}" --data "${restored}"`} />
        <FromSources />
        <Text>Then quit Slipway and start it with that folder:</Text>
        <CodeBlock
          label="Start with what was restored"
          code={`slipway serve --data "${restored}"`}
        />
      </Stack>
    </Disclosure>
  )
}
