import { Group } from '@mantine/core'
import { useShareUrl } from '../../lib/host/host'
import { OnlyThisComputer } from '../../lib/links/only-this-computer'
import { paths } from '../../paths'
import { ShowQrCode } from '../../ui/dialog/show-qr-code'
import { CopyButton } from '../../ui/text/copy-button'

export function ShareButtons({ slug }: { slug: string }) {
  const link = useShareUrl()(paths.publicProject(slug))
  return (
    <Group gap="xs">
      <CopyButton value={link} label="Copy link" />
      <ShowQrCode value={link} name={slug} notice={<OnlyThisComputer />} />
      <OnlyThisComputer />
    </Group>
  )
}
