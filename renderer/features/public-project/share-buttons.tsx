import { Group } from '@mantine/core'
import { useHost, useShareUrl } from '../../lib/host/host'
import { messages } from '../../lib/texts/messages'
import { paths } from '../../paths'
import { ShowQrCode } from '../../ui/dialog/show-qr-code'
import { CopyButton } from '../../ui/text/copy-button'

export function ShareButtons({ slug }: { slug: string }) {
  const { reachable, version } = useHost()
  const link = useShareUrl()(paths.publicProject(slug))
  return (
    <Group gap="xs">
      <CopyButton value={link} label="Copy link" />
      <ShowQrCode
        value={link}
        name={slug}
        warning={version !== '' && !reachable ? messages.host.unreachable : undefined}
      />
    </Group>
  )
}
