import { Menu, Text } from '@mantine/core'
import {
  IconCode,
  IconCopy,
  IconDeviceMobile,
  IconExternalLink,
  IconQrcode,
} from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import type { Project } from '../../../../server/contract'
import { useShareUrl } from '../../../lib/host/host'
import { OnlyThisComputer } from '../../../lib/links/only-this-computer'
import { useCopyLink } from '../../../lib/links/use-copy-link'
import { paths } from '../../../paths'
import { useQrCode } from '../../../ui/dialog/show-qr-code'
import type { MenuStart } from '../../../ui/table/late-menu'
import classes from './share-menu.module.css'
import { showBadgeAndCard } from './show-badge-and-card'

/** The address of a project's page, and every way to hand it on. */
export function ShareMenu({ project, button, defaultOpened }: { project: Project } & MenuStart) {
  const { slug, is_public } = project
  const page = paths.publicProject(slug)
  const address = useShareUrl()(page)
  const copyLink = useCopyLink()
  const qrCode = useQrCode({ value: address, name: slug, notice: <OnlyThisComputer /> })

  return (
    <>
      <Menu position="bottom-end" width={300} defaultOpened={defaultOpened}>
        <Menu.Target>{button}</Menu.Target>
        <Menu.Dropdown>
          <div className={classes.about}>
            <Text ff="monospace" size="xs" className={classes.address} aria-label="Public URL">
              {address}
            </Text>
            <WhoCanOpen project={project} />
          </div>
          <Menu.Divider />
          <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => void copyLink(page)}>
            Copy link
          </Menu.Item>
          <Menu.Item
            leftSection={<IconQrcode size={16} />}
            aria-haspopup="dialog"
            onClick={qrCode.show}
          >
            Show QR code
          </Menu.Item>
          {is_public && (
            <Menu.Item
              component="a"
              href={`${page}/install`}
              leftSection={<IconDeviceMobile size={16} />}
            >
              Install page
            </Menu.Item>
          )}
          {is_public && (
            <Menu.Item
              leftSection={<IconCode size={16} />}
              aria-haspopup="dialog"
              onClick={() => showBadgeAndCard(project, address)}
            >
              Badge and card
            </Menu.Item>
          )}
          <Menu.Item component={Link} to={page} leftSection={<IconExternalLink size={16} />}>
            {is_public ? 'View page' : 'Preview page'}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {qrCode.dialog}
    </>
  )
}

function WhoCanOpen({ project: { is_public, owner, can } }: { project: Project }) {
  const who = can.includes('update') ? 'you make' : `${owner} makes`
  if (is_public) return <OnlyThisComputer mt={4} />
  return (
    <Text size="xs" c="dimmed" mt={4}>
      {`Private. Visitors see “not found” until ${who} it public.`}
    </Text>
  )
}
