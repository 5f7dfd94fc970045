import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMenu2 } from '@tabler/icons-react'
import { Suspense, useCallback, useRef } from 'react'
import { Link } from 'react-router-dom'
import type { User } from '../../../server/contract'
import { BRAND } from '../../../server/contract/pages'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useSession } from '../../lib/session/session'
import { paths } from '../../paths'
import { NameMark } from '../../ui/text/name-mark'
import classes from './frame.module.css'
import { HeaderLink } from './header-link'
import { useLogout } from './use-logout'

const Sidebar = lazyPage(() => import('./sidebar'), 'Sidebar')

/** `onChangePassword`: the dialog belongs to another feature, so app.tsx passes it in. */
export function Header({ onChangePassword }: { onChangePassword: () => void }) {
  const { status, user } = useSession()
  return (
    <header className={classes.header}>
      <Group justify="space-between" gap="xs" wrap="nowrap" className={classes.bar}>
        <Group gap="sm" wrap="nowrap" flex="none">
          {user && <SidebarToggle user={user} onChangePassword={onChangePassword} />}
          <Link to={paths.landing} className={classes.brand}>
            <NameMark />
            <span className={user ? classes.word : classes.wordForVisitors}>{BRAND}</span>
          </Link>
        </Group>
        {status === 'out' && <VisitorLinks />}
        {user && <UserActions user={user} />}
      </Group>
    </header>
  )
}

function SidebarToggle({ user, onChangePassword }: { user: User; onChangePassword: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  const [opened, { open, close: hide }] = useDisclosure(false)
  // Restores the focus itself: a drawer that opens while its code loads does not know its opener.
  const close = useCallback(() => {
    hide()
    button.current?.focus()
  }, [hide])
  return (
    <>
      <ActionIcon
        ref={button}
        variant="subtle"
        color="gray"
        size={36}
        aria-label="Menu"
        aria-expanded={opened}
        aria-haspopup="dialog"
        onClick={opened ? close : open}
      >
        <IconMenu2 size={20} />
      </ActionIcon>
      <Suspense>
        <Sidebar user={user} opened={opened} onClose={close} onChangePassword={onChangePassword} />
      </Suspense>
    </>
  )
}

function VisitorLinks() {
  return (
    <Group component="nav" aria-label="Main" gap={0} wrap="nowrap">
      <HeaderLink to={paths.browse} label="Browse" />
      <HeaderLink to={paths.docs} label="API Docs" />
      <Button component={Link} to={paths.login} size="sm" className={classes.login ?? ''}>
        Login
      </Button>
    </Group>
  )
}

function UserActions({ user }: { user: User }) {
  const logout = useLogout()
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      <Text truncate="end" title={user.username} className={classes.username}>
        {user.username}
      </Text>
      <Button variant="default" size="sm" className={classes.logout ?? ''} onClick={logout}>
        Logout
      </Button>
    </Group>
  )
}
