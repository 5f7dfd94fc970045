import { Menu } from '@mantine/core'
import type { Project } from '../../../server/contract'
import { useCopyLink } from '../../lib/links/use-copy-link'
import { paths } from '../../paths'
import type { MenuStart } from '../../ui/table/late-menu'

interface LatestLinksProps extends MenuStart {
  project: Project
  channel: string
}

/** Copies addresses that always lead to the newest release of a channel. */
export function LatestLinks({
  project: { slug, platforms },
  channel,
  button,
  defaultOpened,
}: LatestLinksProps) {
  const copyLink = useCopyLink()
  const copy = (platform?: string) => void copyLink(paths.latest(slug, channel, platform))

  return (
    <Menu position="bottom-end" defaultOpened={defaultOpened}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Always the newest in the channel {channel}</Menu.Label>
        <Menu.Item onClick={() => copy()}>Page of the release</Menu.Item>
        {platforms.map((platform) => (
          <Menu.Item key={platform} onClick={() => copy(platform)}>
            File for {platform}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
