import { Button, Text } from '@mantine/core'
import { IconQrcode } from '@tabler/icons-react'
import { Suspense, useRef, useState } from 'react'
import { lazyPage } from '../../lib/browser/lazy-page'
import { ErrorBoundary } from '../feedback/error-boundary'
import type { QrCodeProps } from './qr-dialog'

const QrDialog = lazyPage(() => import('./qr-dialog'), 'QrDialog')

export function ShowQrCode(props: QrCodeProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [dialog, setDialog] = useState<'never' | 'open' | 'closed'>('never')
  const close = () => {
    setDialog('closed')
    button.current?.focus()
  }
  return (
    <>
      <Button
        ref={button}
        variant="default"
        leftSection={<IconQrcode size={16} />}
        aria-haspopup="dialog"
        aria-label="Show QR code"
        onClick={() => setDialog('open')}
      >
        QR code
      </Button>
      {dialog !== 'never' && (
        <ErrorBoundary fallback={<NotLoaded />}>
          <Suspense>
            <QrDialog {...props} isOpen={dialog === 'open'} onClose={close} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  )
}

function NotLoaded() {
  return (
    <Text role="alert" size="xs" c="dimmed">
      The code could not be loaded. Reload the page.
    </Text>
  )
}
