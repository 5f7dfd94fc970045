import { UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import type { User } from '../../../server/contract'
import { lazyPage, WaitingPlace } from '../../lib/browser/lazy-page'
import { rememberControl } from '../../ui/dialog/return-focus'
import { Lazily } from '../../ui/feedback/lazily'
import { COMMAND_KEY } from './command-key'
import classes from './search-keys.module.css'
import { useKeys } from './use-keys'

const Palette = lazyPage(() => import('./palette'), 'Palette')
const KeysDialog = lazyPage(() => import('./keys-dialog'), 'KeysDialog')

interface Dialog {
  shows: 'palette' | 'keys'
  returnFocus: () => void
}

/**
 * The button of the search in the header, the keys, and what both open. Its large parts load on
 * first use.
 */
export function SearchKeys({ user, onLogout }: { user: User; onLogout: () => void }) {
  const [dialog, setDialog] = useState<Dialog>()
  const [early, setEarly] = useState('')

  const open = (shows: Dialog['shows']) => {
    setDialog((before) => ({ shows, returnFocus: before?.returnFocus ?? rememberControl() }))
    setEarly('')
  }
  const close = () => {
    dialog?.returnFocus()
    setDialog(undefined)
  }

  const field = <EarlyField text={early} onText={setEarly} onClose={close} />

  useKeys({ palette: () => open('palette'), keys: () => open('keys') })
  useAskedKeys(() => open('keys'))

  return (
    <>
      <UnstyledButton
        className={classes.button}
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        onClick={() => open('palette')}
      >
        <IconSearch size={16} aria-hidden />
        <span className={classes.words}>
          Search <kbd className={classes.key}>{COMMAND_KEY}K</kbd>
        </span>
      </UnstyledButton>
      <Lazily>
        {dialog?.shows === 'palette' && (
          <WaitingPlace note={field}>
            <Suspense fallback={field}>
              <Palette
                user={user}
                early={early}
                onClose={close}
                onKeys={() => open('keys')}
                onLogout={onLogout}
              />
            </Suspense>
          </WaitingPlace>
        )}
        {dialog?.shows === 'keys' && <KeysDialog onClose={close} />}
      </Lazily>
    </>
  )
}

interface EarlyFieldProps {
  text: string
  onText: (text: string) => void
  onClose: () => void
}

/** Takes what is typed while the palette loads. */
const EarlyField = ({ text, onText, onClose }: EarlyFieldProps) => (
  <input
    className={classes.early}
    aria-label="Search"
    autoFocus
    maxLength={200}
    value={text}
    onChange={({ currentTarget }) => onText(currentTarget.value)}
    onKeyDown={({ key }) => key === 'Escape' && onClose()}
  />
)

/** The Help menu of the app window opens the list of keys by an address. */
function useAskedKeys(open: () => void): void {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  const answer = useEffectEvent(() => {
    if (hash !== '#keys') return
    open()
    void navigate(pathname + search, { replace: true })
  })
  useEffect(() => answer(), [hash])
}
