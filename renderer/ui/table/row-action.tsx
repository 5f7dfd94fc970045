import { ActionIcon } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { useIsPhone } from './use-is-phone'

interface RowActionProps {
  icon: Icon
  verb: string
  what: string
}

/** A small button in a table row, large enough for touch on a phone. */
export function RowAction({ onClick, ...props }: RowActionProps & { onClick: () => void }) {
  const { icon: Picture, name, look } = useLook(props)
  return (
    <ActionIcon {...look} aria-label={name} onClick={onClick}>
      <Picture size={18} />
    </ActionIcon>
  )
}

/** A row action as a download link. */
export function RowDownload({ href, ...props }: RowActionProps & { href: string }) {
  const { icon: Picture, name, look } = useLook(props)
  return (
    <ActionIcon {...look} component="a" href={href} download aria-label={name}>
      <Picture size={18} />
    </ActionIcon>
  )
}

function useLook({ icon, verb, what }: RowActionProps) {
  const size = useIsPhone() ? 'xl' : 'md'
  return {
    icon,
    name: `${verb} ${what}`,
    look: { variant: 'subtle', color: 'gray', size, title: verb } as const,
  }
}
