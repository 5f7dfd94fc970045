import { Button, Text } from '@mantine/core'
import { IconQrcode } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { lazyPage } from '../../lib/browser/lazy-page'
import { Lazily } from '../feedback/lazily'
import type { QrCodeProps } from './qr-dialog'
import { rememberControl } from './return-focus'

const QrDialog = lazyPage(() => import('./qr-dialog'), 'QrDialog')

/** A button that opens the dialog of an address's QR code. */
export function ShowQrCode(props: QrCodeProps) {
  const { show, dialog } = useQrCode(props)

  return (
    <>
      <Button
        variant="default"
        leftSection={<IconQrcode size={16} />}
        aria-haspopup="dialog"
        aria-label="Show QR code"
        onClick={show}
      >
        QR code
      </Button>
      {dialog}
    </>
  )
}

/** The dialog of an address's QR code, and how to open it. Closing it returns the focus. */
export function useQrCode(code: QrCodeProps) {
  const returnFocus = useRef(() => {})
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')

  const show = () => {
    returnFocus.current = rememberControl()
    setState('open')
  }

  const close = () => {
    setState('closed')
    returnFocus.current()
  }

  const dialog = state !== 'never' && (
    <Lazily instead={<NotLoaded />}>
      <QrDialog {...code} isOpen={state === 'open'} onClose={close} />
    </Lazily>
  )

  return { show, dialog }
}

function NotLoaded() {
  return (
    <Text role="alert" size="xs" c="dimmed">
      The code could not be loaded. Reload the page.
    </Text>
  )
}
