import { Anchor, Group, Text } from '@mantine/core'
import { Link } from 'react-router-dom'
import { useHost } from '../../lib/host/host'
import { paths } from '../../paths'
import classes from './frame.module.css'

const links = [
  { to: paths.browse, label: 'Projects' },
  { to: paths.publicFiles, label: 'Public files' },
  { to: paths.docs, label: 'API Docs' },
]

export function Footer() {
  const { version } = useHost()
  return (
    <footer className={classes.footer}>
      <Group justify="space-between" gap="md" className={classes.bar}>
        <Text size="xs" c="dimmed">
          Slipway{version !== '' && ` ${version}`}. Free, open source, self-hosted.
        </Text>
        <Group component="nav" aria-label="Footer" gap="lg">
          {links.map(({ to, label }) => (
            <Anchor key={to} component={Link} to={to} size="xs" c="dimmed">
              {label}
            </Anchor>
          ))}
        </Group>
      </Group>
    </footer>
  )
}
