import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMenu2, IconUpload } from '@tabler/icons-react'
import { useCallback, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import type { User } from '../../../server/contract'
import { useFirstView } from '../../lib/browser/first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { paths } from '../../paths'
import { focusControl } from '../../ui/dialog/return-focus'
import { Lazily } from '../../ui/feedback/lazily'
import { SearchKeys } from '../palette/search-keys'
import {
  chooseFiles,
  offerChosen,
  registerFolderPicker,
  registerPicker,
} from '../uploads/drop/drop-place'
import classes from './frame.module.css'
import { useLogout } from './use-logout'

export const loadSidebar = () => import('./sidebar')
const Sidebar = lazyPage(loadSidebar, 'Sidebar')

/** Opens the menu of a signed-in person. */
export function SidebarToggle({ user }: { user: User }) {
  const button = useRef<HTMLButtonElement>(null)
  const [opened, { open, close: hide }] = useDisclosure(false)
  // Stays mounted once opened, because actions run after its transition.
  const [wasOpened, setOpened] = useState(false)
  const isNeeded = useFirstView() || wasOpened

  const show = () => {
    setOpened(true)
    open()
  }

  // Restores the focus itself: a drawer that opens while its code loads does not know its opener.
  const close = useCallback(() => {
    hide()
    focusControl(button.current)
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
        onClick={show}
      >
        <IconMenu2 size={20} />
      </ActionIcon>
      <Lazily>{isNeeded && <Sidebar user={user} opened={opened} onClose={close} />}</Lazily>
    </>
  )
}

/** The name of the signed-in person, and Logout. */
export function UserActions({ user }: { user: User }) {
  const logout = useLogout()

  return (
    <Group gap="xs" wrap="nowrap" miw={0}>
      <PublishButton />
      <SearchKeys user={user} onLogout={() => void logout()} />
      <Text
        component={Link}
        to={paths.account}
        truncate="end"
        title={`Account of ${user.username}`}
        className={classes.username}
      >
        {user.username}
      </Text>
      <Button variant="default" size="sm" className={classes.logout ?? ''} onClick={logout}>
        Logout
      </Button>
    </Group>
  )
}

/** Publishes files from any page. A phone offers its camera, too, because any file will do. */
function PublishButton() {
  return (
    <>
      <Button
        size="sm"
        className={classes.publish ?? ''}
        leftSection={<IconUpload size={16} aria-hidden />}
        aria-label="Publish files"
        title="Publish files (U)"
        onClick={chooseFiles}
      >
        <span className={classes.publishLabel}>Publish</span>
      </Button>
      <input
        ref={registerPicker}
        type="file"
        multiple
        hidden
        aria-label="Choose files"
        onChange={offerChosen}
      />
      <input
        ref={registerFolderPicker}
        type="file"
        hidden
        aria-label="Choose a folder"
        onChange={offerChosen}
      />
    </>
  )
}
