import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useRef, type ReactNode } from 'react'
import { saveBlob } from '../file/save-blob'
import { notifyError } from '../feedback/notify'
import classes from './qr-dialog.module.css'
import { QrPicture } from './qr-picture'

export interface QrCodeProps {
  value: string
  /** The name of the target; also the filename: 'lantern'. */
  name: string
  /** Why a reader might not reach the address. */
  notice?: ReactNode
}

export function QrDialog({
  isOpen,
  onClose,
  ...code
}: QrCodeProps & { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="QR code" size="sm" returnFocus={false}>
      <QrCode {...code} />
    </Modal>
  )
}

function QrCode({ value, name, notice }: QrCodeProps) {
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
      <QrPicture ref={picture} value={value} />
      <Text className={classes.value} size="xs">
        {value}
      </Text>
      {notice}
      <Group gap="xs" grow>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={() => savePicture(saveSvg)}
        >
          SVG
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={() => savePicture(savePng)}
        >
          PNG
        </Button>
      </Group>
    </Stack>
  )
}

/** Pixels per side, enough for a poster. */
const PNG_SIZE = 1024

function saveSvg(picture: SVGSVGElement, name: string): void {
  saveBlob(new Blob([serializeSvg(picture)], { type: 'image/svg+xml' }), `${name}.svg`)
}

async function savePng(picture: SVGSVGElement, name: string): Promise<void> {
  const image = new Image()
  image.src = `data:image/svg+xml,${encodeURIComponent(serializeSvg(picture, PNG_SIZE))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = PNG_SIZE
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  const png = await new Promise<Blob | null>((made) => canvas.toBlob(made, 'image/png'))
  if (!png) throw new Error('This browser could not draw the picture')
  saveBlob(png, `${name}.png`)
}

function serializeSvg(picture: SVGSVGElement, size = PNG_SIZE): string {
  const copy = picture.cloneNode(true) as SVGSVGElement
  copy.setAttribute('width', String(size))
  copy.setAttribute('height', String(size))
  return new XMLSerializer().serializeToString(copy)
}
