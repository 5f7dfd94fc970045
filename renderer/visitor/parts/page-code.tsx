import { QRCodeSVG } from 'qrcode.react'

/** The QR code of an address. Black on white in both themes, as scanners expect. */
export const PageCode = ({ value }: { value: string }) => (
  <QRCodeSVG value={value} level="M" marginSize={4} role="img" aria-label={`QR code of ${value}`} />
)
