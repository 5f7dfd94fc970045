import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import {
  cloneElement,
  Suspense,
  use,
  useState,
  type ComponentPropsWithRef,
  type ReactElement,
  type ReactNode,
} from 'react'
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

/** State that a lazily loaded menu takes over. */
export interface MenuStart {
  button: ReactElement
  /** The person has already asked for it. */
  defaultOpened: boolean
}

interface LateMenuProps {
  button: ReactElement<
    Pick<
      ComponentPropsWithRef<'button'>,
      'ref' | 'onClick' | 'onFocus' | 'onBlur' | 'onPointerDown'
    >
  >
  /** The menu with this button. */
  children: (start: MenuStart) => ReactNode
}

/**
 * A menu whose code loads after the first view, or when its button is pressed earlier. Its button
 * keeps the focus.
 */
export function LateMenu({ button, children }: LateMenuProps) {
  const [isWanted, setWanted] = useState(false)
  const isFirstViewDone = useFirstView()
  const [focus] = useState(() => new KeptFocus())

  const early = cloneElement(button, {
    ref: focus.take,
    onClick: () => setWanted(true),
    onFocus: focus.hold,
    onBlur: focus.drop,
    onPointerDown: focus.press,
  })
  const start = { button: cloneElement(button, { ref: focus.take }), defaultOpened: isWanted }

  return (
    <WaitingPlace note={early}>
      <Suspense fallback={early}>
        {isWanted || isFirstViewDone ? children(start) : <Unready />}
      </Suspense>
    </WaitingPlace>
  )
}

const never = new Promise<never>(() => {})

/** Keeps the first button in place until the code is there: Safari loses a click on a new one. */
const Unready = () => use(never)

/**
 * Passes the focus of a button on to the one that replaces it, and a click that began before. No
 * state of React: a render while the mouse is down would replace the button just then.
 */
class KeptFocus {
  #isHeld = false
  #button: HTMLButtonElement | null = null

  hold = (): void => void (this.#isHeld = true)
  drop = (): void => void (this.#isHeld = false)
  take = (button: HTMLButtonElement | null): void => {
    if (!button) return
    this.#button = button
    if (!this.#isHeld) return
    this.#isHeld = false
    button.focus()
  }

  /** Neither button would get the click if one replaces the other before its end. */
  press = (): void => {
    const pressed = this.#button
    const release = ({ target }: PointerEvent) => {
      const button = this.#button
      if (button !== pressed && target instanceof Node && button?.contains(target)) button.click()
    }
    window.addEventListener('pointerup', release, { once: true })
  }
}
