import { Button, Group, Paper, Text } from '@mantine/core'
import { IconCode, IconDeviceMobile, IconExternalLink } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import type { Project } from '../../../../server/contract'
import { useShareUrl } from '../../../lib/host/host'
import { OnlyThisComputer } from '../../../lib/links/only-this-computer'
import { paths } from '../../../paths'
import { CopyButton } from '../../../ui/text/copy-button'
import { ShowQrCode } from '../../../ui/dialog/show-qr-code'
import classes from './project-page.module.css'
import { showBadgeAndCard } from './show-badge-and-card'

export function PublicAddress({ project }: { project: Project }) {
  const { slug, is_public, owner, can } = project
  const address = useShareUrl()(paths.publicProject(slug))
  return (
    <Paper withBorder p="xs" pl="md">
      <Group gap="xs">
        <Text className={classes.address} miw="12rem" title={address} aria-label="Public URL">
          {address}
        </Text>
        <div className={classes.actions}>
          <CopyButton value={address} label="Copy link" />
          {is_public && (
            <Button
              component="a"
              href={`${paths.publicProject(slug)}/install`}
              variant="default"
              leftSection={<IconDeviceMobile size={16} />}
            >
              Install page
            </Button>
          )}
          {is_public && (
            <Button
              variant="default"
              leftSection={<IconCode size={16} />}
              aria-haspopup="dialog"
              onClick={() => showBadgeAndCard(project, address)}
            >
              Badge and card
            </Button>
          )}
          <ShowQrCode value={address} name={slug} notice={<OnlyThisComputer />} />
          <Button
            component={Link}
            to={paths.publicProject(slug)}
            variant="default"
            leftSection={<IconExternalLink size={16} />}
          >
            {is_public ? 'View' : 'Preview'}
          </Button>
        </div>
      </Group>
      {!is_public && (
        <Text size="xs" c="dimmed" mt={4}>
          Private: visitors find nothing at this address until {can.includes('update') ? 'you make' : `${owner} makes`}{' '}
          the project public.
        </Text>
      )}
      {is_public && <OnlyThisComputer mt={6} />}
    </Paper>
  )
}
