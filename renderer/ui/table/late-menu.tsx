import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { cloneElement, Suspense, useState, type ComponentPropsWithRef, type ReactElement, type ReactNode } from 'react'
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

/** What a menu that comes late takes over. */
export interface MenuStart {
  button: ReactElement
  /** The person has already asked for it. */
  defaultOpened: boolean
}

interface LateMenuProps {
  button: ReactElement<
    { onClick?: () => void } & Pick<ComponentPropsWithRef<'button'>, 'autoFocus' | 'onFocus' | 'onBlur'>
  >
  /** The menu with this button. */
  children: (start: MenuStart) => ReactNode
}

/** A menu whose code loads after the first view, or when its button is pressed earlier. Its button keeps the focus. */
export function LateMenu({ button, children }: LateMenuProps) {
  const [isWanted, setWanted] = useState(false)
  const [hasFocus, setFocus] = useState(button.props.autoFocus === true)
  const isFirstViewDone = useFirstView()
  const early = cloneElement(button, {
    autoFocus: hasFocus,
    onClick: () => setWanted(true),
    onFocus: () => setFocus(true),
    onBlur: () => setFocus(false),
  })
  if (!isWanted && !isFirstViewDone) return early
  return (
    <WaitingPlace note={early}>
      <Suspense fallback={early}>
        {children({ button: cloneElement(button, { autoFocus: hasFocus }), defaultOpened: isWanted })}
      </Suspense>
    </WaitingPlace>
  )
}
