import { QRCodeSVG } from 'qrcode.react'
import type { Ref } from 'react'

interface QrCodeProps {
  /** What a camera reads. */
  value: string
  label: string
  size: number
  ref?: Ref<SVGSVGElement>
}

/** Dark on white with its quiet zone in every theme: cameras do not read it otherwise. */
export function QrCode({ value, label, size, ref }: QrCodeProps) {
  return (
    <QRCodeSVG ref={ref ?? null} value={value} size={size} level="M" marginSize={4} role="img" aria-label={label} />
  )
}
