import { Alert, Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle, IconDownload, IconQrcode } from '@tabler/icons-react'
import { Suspense, useRef } from 'react'
import { lazyPage } from '../lib/lazy-page'
import { ErrorBoundary } from './error-boundary'
import { notifyError } from './notify'
import { savePng, saveSvg } from './save-picture'
import classes from './show-qr-code.module.css'

const QrCode = lazyPage(() => import('./qr-code'), 'QrCode')
const SIZE = 288

interface ShowQrCodeProps {
  /** The address that a camera reads. */
  value: string
  /** What the address leads to, under which the picture is saved: 'lantern'. */
  name: string
  /** What would keep a reader from getting there. */
  warning?: string | undefined
}

/** A button that shows an address for cameras, to scan from the screen or to save and print. */
export function ShowQrCode(props: ShowQrCodeProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconQrcode size={16} />}
        aria-haspopup="dialog"
        aria-label="Show QR code"
        onClick={open}
      >
        QR code
      </Button>
      <Modal opened={isOpen} onClose={close} title="QR code" size="sm" closeButtonProps={{ 'aria-label': 'Close' }}>
        <ErrorBoundary fallback={<Text role="alert">The code could not be loaded. Load the page again.</Text>}>
          <Code {...props} />
        </ErrorBoundary>
      </Modal>
    </>
  )
}

function Code({ value, name, warning }: ShowQrCodeProps) {
  const picture = useRef<SVGSVGElement>(null)
  const savePicture = async (how: typeof saveSvg | typeof savePng) => {
    try {
      if (picture.current) await how(picture.current, `${name}-qr`)
    } catch (cause) {
      console.error('The picture could not be saved', cause)
      notifyError('This browser could not save the picture. Take a screenshot of it.')
    }
  }
  return (
    <Stack gap="md">
      <Suspense fallback={<Skeleton h={SIZE + 18} />}>
        <div className={classes.code}>
          <QrCode ref={picture} value={value} label={`QR code of ${value}`} size={SIZE} />
        </div>
      </Suspense>
      <Text className={classes.value} size="xs">
        {value}
      </Text>
      {warning !== undefined && <Alert color="orange" variant="light" icon={<IconAlertTriangle />} title={warning} />}
      <Group gap="xs" grow>
        <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => savePicture(saveSvg)}>
          SVG
        </Button>
        <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => savePicture(savePng)}>
          PNG
        </Button>
      </Group>
    </Stack>
  )
}
