import { Button, Group, Paper, Text } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import type { Project } from '../../../server/contract'
import { useHost, useShareUrl } from '../../lib/host'
import { paths } from '../../paths'
import { CopyButton } from '../../ui/copy-button'
import classes from './project-page.module.css'

/** The address that visitors open, to copy and to look at. */
export function PublicAddress({ project: { slug, is_public } }: { project: Project }) {
  const address = useShareUrl()(paths.publicProject(slug))
  const { reachable } = useHost()
  return (
    <Paper withBorder p="xs" pl="md">
      <Group gap="xs">
        <Text className={classes.address} miw="12rem" title={address} aria-label="Public URL">
          {address}
        </Text>
        <CopyButton value={address} label="Copy link" />
        <Button
          component={Link}
          to={paths.publicProject(slug)}
          variant="default"
          leftSection={<IconExternalLink size={16} />}
        >
          {is_public ? 'View' : 'Preview'}
        </Button>
      </Group>
      {!is_public && (
        <Text size="xs" c="dimmed" mt={4}>
          Private: visitors find nothing at this address until you make the project public.
        </Text>
      )}
      {is_public && !reachable && (
        <Text size="xs" c="dimmed" mt={4}>
          This host can be reached from this computer only, so other people cannot open the address yet.
        </Text>
      )}
    </Paper>
  )
}
