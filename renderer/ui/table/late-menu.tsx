import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Suspense, useState, type ComponentPropsWithRef, type ReactNode } from 'react'
import { useFirstView } from '../../lib/browser/first-view'
import { WaitingPlace } from '../../lib/browser/lazy-page'

type MenuButtonProps = { label: string } & ActionIconProps &
  Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps>

/** The button of a menu. */
export const MenuButton = ({ label, ...props }: MenuButtonProps) => (
  <ActionIcon variant="subtle" color="gray" aria-label={label} aria-haspopup="menu" {...props}>
    <IconDots size={18} />
  </ActionIcon>
)

interface LateMenuProps {
  label: string
  size?: ActionIconProps['size']
  /** The menu with its own `MenuButton`. `isOpen`: the person has already asked for it. */
  children: (isOpen: boolean) => ReactNode
}

/** A menu whose code loads after the first view, or when its button is pressed earlier. */
export function LateMenu({ label, size, children }: LateMenuProps) {
  const [isWanted, setWanted] = useState(false)
  const isFirstViewDone = useFirstView()
  const button = <MenuButton label={label} {...(size === undefined ? {} : { size })} onClick={() => setWanted(true)} />
  if (!isWanted && !isFirstViewDone) return button
  return (
    <WaitingPlace note={button}>
      <Suspense fallback={button}>{children(isWanted)}</Suspense>
    </WaitingPlace>
  )
}
