import { ActionIcon, Button, Group } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useIsPhone } from './use-is-phone'

interface RowActionProps {
  icon: Icon
  verb: string
  what: string
}

/** The actions of a row, side by side. */
export const RowActions = ({ children }: { children: ReactNode }) => (
  <Group gap={4} wrap="nowrap" justify="flex-end">
    {children}
  </Group>
)

interface RowButtonProps extends Omit<RowActionProps, 'icon'> {
  isDangerous?: boolean
  /** Steps back behind another button. */
  isQuiet?: boolean
  onClick: () => void
}

/** A button with words in a table row. */
export const RowButton = ({ verb, what, isDangerous, isQuiet, onClick }: RowButtonProps) => (
  <Button
    size="xs"
    variant={isQuiet || isDangerous ? 'subtle' : 'default'}
    color={isDangerous ? 'red' : 'gray'}
    aria-label={`${verb} ${what}`}
    // The second click of a double click would be for the row that moved up.
    onClick={({ detail }) => detail < 2 && onClick()}
  >
    {verb}
  </Button>
)

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
