import { CloseButton } from '@mantine/core'
import { useEffect, useState } from 'react'
import { startReport } from '../../../lib/browser/desktop'
import classes from '../frame.module.css'

const DISMISSED = 'slipway:recovery-read'

export function RecoveryBanner() {
  const [text, setText] = useState<string | null>(null)
  useEffect(() => {
    if (sessionStorage.getItem(DISMISSED) === null) void startReport().then(setText)
  }, [])
  if (text === null) return null

  const dismiss = () => {
    sessionStorage.setItem(DISMISSED, 'yes')
    setText(null)
  }

  return (
    <div role="status" className={classes.recovery}>
      <p>{text}</p>
      <CloseButton aria-label="Dismiss message" onClick={dismiss} />
    </div>
  )
}
