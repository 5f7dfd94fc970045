import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { IconMenu2 } from '@tabler/icons-react'
import { Suspense } from 'react'
import type { User } from '../../../server/contract'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useLateDialog } from '../../lib/browser/late-dialog'
import { SearchKeys } from '../palette/search-keys'
import classes from './frame.module.css'
import { useLogout } from './use-logout'

export const loadSidebar = () => import('./sidebar')
const Sidebar = lazyPage(loadSidebar, 'Sidebar')

/**
 * Opens the menu of a signed-in person. `onChangePassword`: the dialog belongs to another feature, so app.tsx passes it
 * in.
 */
export function SidebarToggle({ user, onChangePassword }: { user: User; onChangePassword: () => void }) {
  const { button, isOpen, isWanted, open, close } = useLateDialog()
  return (
    <>
      <ActionIcon
        ref={button}
        variant="subtle"
        color="gray"
        size={36}
        aria-label="Menu"
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        onClick={isOpen ? close : open}
      >
        <IconMenu2 size={20} />
      </ActionIcon>
      <Suspense>
        {isWanted && <Sidebar user={user} opened={isOpen} onClose={close} onChangePassword={onChangePassword} />}
      </Suspense>
    </>
  )
}

/** The name of the signed-in person, and Logout. */
export function UserActions({ user }: { user: User }) {
  const logout = useLogout()
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      <SearchKeys user={user} onLogout={() => void logout()} />
      <Text truncate="end" title={user.username} className={classes.username}>
        {user.username}
      </Text>
      <Button variant="default" size="sm" className={classes.logout ?? ''} onClick={logout}>
        Logout
      </Button>
    </Group>
  )
}
