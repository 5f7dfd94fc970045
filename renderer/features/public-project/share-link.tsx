import { Text, TextInput } from '@mantine/core'
import { useHost, useShareUrl } from '../../lib/host'
import { paths } from '../../paths'
import { CopyButton } from '../../ui/copy-button'

/** The address to send to others, ready to copy. */
export function ShareLink({ slug }: { slug: string }) {
  const { reachable, version } = useHost()
  const link = useShareUrl()(paths.publicProject(slug))
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
      <CopyButton value={link} label="Copy link" />
      {version !== '' && !reachable && (
        <Text size="xs" c="dimmed" mt={8}>
          For now only this computer can open this address.
        </Text>
      )}
    </div>
  )
}
