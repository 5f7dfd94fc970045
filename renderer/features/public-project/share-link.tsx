import { Group, Text } from '@mantine/core'
import { useHost, useShareUrl } from '../../lib/host/host'
import { messages } from '../../lib/words/messages'
import { paths } from '../../paths'
import { CopyButton } from '../../ui/text/copy-button'
import { ShowQrCode } from '../../ui/dialog/show-qr-code'
import classes from './project.module.css'

export function ShareLink({ slug }: { slug: string }) {
  const { reachable, version } = useHost()
  const link = useShareUrl()(paths.publicProject(slug))
  const isAlone = version !== '' && !reachable
  return (
    <div>
      {/* Plain: the inputs of the kit are what a visitor would load for this one line. */}
      <label className={classes.shareLink}>
        Share link
        <input value={link} readOnly onFocus={({ currentTarget }) => currentTarget.select()} />
      </label>
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
