import { Divider, Drawer, Stack, Text } from '@mantine/core'
import {
  IconApi,
  IconCompass,
  IconFiles,
  IconHome,
  IconKey,
  IconLogout,
  IconPackage,
  IconServer2,
  IconStack2,
  IconUser,
  type Icon,
} from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { NavLink, useLocation } from 'react-router-dom'
import type { User } from '../../../server/contract'
import { listPages, routes, type PageAt } from '../../../server/contract/routes'
import { useManagesHost } from '../../lib/session/use-manages-host'
import classes from './sidebar.module.css'
import { useLogout } from './use-logout'

const pictures: Record<PageAt<'menu'>, Icon> = {
  dashboard: IconHome,
  projects: IconStack2,
  myFiles: IconFiles,
  builds: IconPackage,
  apiKeys: IconKey,
  browse: IconCompass,
  docs: IconApi,
  host: IconServer2,
}

const links = listPages('menu')

interface SidebarProps {
  user: User
  opened: boolean
  onClose: () => void
}

export function Sidebar({ user, opened, onClose }: SidebarProps) {
  useCloseOnRouteChange(opened, onClose)

  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      returnFocus={false}
      size={296}
      title={<Person user={user} />}
      closeButtonProps={{ 'aria-label': 'Close menu' }}
    >
      <Stack component="nav" aria-label="Main" gap={2}>
        <Links onClose={onClose} />
        <Divider my="sm" />
        <NavLink to={routes.account} className={() => classes.link} onClick={onClose}>
          <IconUser size={20} stroke={1.5} aria-hidden />
          Account
        </NavLink>
        <LogoutButton onClose={onClose} />
      </Stack>
    </Drawer>
  )
}

function Links({ onClose }: { onClose: () => void }) {
  const managesHost = useManagesHost()
  const shown = links.filter(({ isForManagers = false }) => managesHost || !isForManagers)

  return shown.map(({ name, path, label }) => {
    const Picture = pictures[name]
    return (
      <NavLink key={path} to={path} className={() => classes.link} onClick={onClose}>
        <Picture size={20} stroke={1.5} aria-hidden />
        {label}
      </NavLink>
    )
  })
}

function Person({ user }: { user: User }) {
  return (
    <>
      <Text component="span" display="block" fw={600} truncate="end" title={user.username}>
        {user.username}
      </Text>
      <Text component="span" display="block" size="xs" c="dimmed" truncate="end" title={user.email}>
        {user.email}
      </Text>
    </>
  )
}

function LogoutButton({ onClose }: { onClose: () => void }) {
  const logout = useLogout()

  const leave = () => {
    onClose()
    return logout()
  }

  return (
    <button type="button" className={classes.link} onClick={leave}>
      <IconLogout size={20} stroke={1.5} aria-hidden />
      Logout
    </button>
  )
}

/**
 * Closes the drawer on navigation by the back button or the app menu, but not for a page that was
 * already loading: the address changes before the page appears.
 */
function useCloseOnRouteChange(opened: boolean, close: () => void): void {
  const { pathname } = useLocation()
  const previousPath = useRef(pathname)
  const awaited = useRef(pathname)
  useEffect(() => {
    if (opened) awaited.current = window.location.pathname
  }, [opened])

  useEffect(() => {
    if (previousPath.current === pathname) return
    previousPath.current = pathname
    if (opened && pathname !== awaited.current) close()
  }, [pathname, opened, close])
}
