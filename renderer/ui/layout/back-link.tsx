import { Anchor, Group } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from 'react-router-dom'

interface BackLinkProps {
  to: string
  text: string
}

/** Leads from a part back to the list. */
export const BackLink = ({ to, text }: BackLinkProps) => (
  <Anchor component={Link} to={to} style={{ alignSelf: 'start' }}>
    <Group component="span" gap={4}>
      <IconArrowLeft size={16} aria-hidden />
      {text}
    </Group>
  </Anchor>
)
