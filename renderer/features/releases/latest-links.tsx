import { Button, Menu } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import type { Project } from '../../../server/contract'
import { copyText } from '../../visitor/parts/copy-text'
import { useShareUrl } from '../../lib/host/host'
import { paths } from '../../paths'
import { notifyError, notifySuccess } from '../../ui/feedback/notify'

/** Copies addresses that always lead to the newest release of a channel. */
export function LatestLinks({ project: { slug, platforms }, channel }: { project: Project; channel: string }) {
  const share = useShareUrl()
  const copy = async (platform?: string) => {
    const address = share(paths.latest(slug, channel, platform))
    if (await copyText(address)) notifySuccess(`Copied ${address}`)
    else notifyError(`This browser did not allow copying. The address is ${address}`)
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconLink size={16} />}>
          Copy latest link
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Always the newest in the channel {channel}</Menu.Label>
        <Menu.Item onClick={() => void copy()}>Page of the release</Menu.Item>
        {platforms.map((platform) => (
          <Menu.Item key={platform} onClick={() => void copy(platform)}>
            File for {platform}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
