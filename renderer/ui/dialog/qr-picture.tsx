import { QRCodeSVG } from 'qrcode.react'
import type { Ref } from 'react'
import classes from './qr-dialog.module.css'

/** Dark on white with a quiet zone in every theme, because cameras need it. */
export function QrPicture({ value, ref }: { value: string; ref?: Ref<SVGSVGElement> }) {
  return (
    <div className={classes.code}>
      <QRCodeSVG
        {...(ref !== undefined && { ref })}
        value={value}
        level="M"
        marginSize={4}
        role="img"
        aria-label={`QR code of ${value}`}
      />
    </div>
  )
}
