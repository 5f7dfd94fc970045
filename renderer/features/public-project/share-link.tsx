import { Group, Text, TextInput } from '@mantine/core'
import { useHost, useShareUrl } from '../../lib/host'
import { messages } from '../../lib/messages'
import { paths } from '../../paths'
import { CopyButton } from '../../ui/copy-button'
import { ShowQrCode } from '../../ui/show-qr-code'

/** The address to send to others, ready to copy. */
export function ShareLink({ slug }: { slug: string }) {
  const { reachable, version } = useHost()
  const link = useShareUrl()(paths.publicProject(slug))
  const isAlone = version !== '' && !reachable
  return (
    <div>
      <TextInput
        label="Share link"
        value={link}
        readOnly
        onFocus={({ currentTarget }) => currentTarget.select()}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
        mb={8}
      />
      <Group gap="xs">
        <CopyButton value={link} label="Copy link" />
        <ShowQrCode value={link} name={slug} warning={isAlone ? messages.host.unreachable : undefined} />
      </Group>
      {isAlone && (
        <Text size="xs" c="dimmed" mt={8}>
          {messages.host.unreachable}
        </Text>
      )}
    </div>
  )
}
