import { Button } from '@mantine/core'
import { useState } from 'react'
import { checkConnection, useConnection } from '../../../lib/client/connection'
import classes from '../frame.module.css'

/** Says why nothing loads. Announced, so its place exists before. */
export function ConnectionBanner() {
  const connection = useConnection()
  const [isTrying, setTrying] = useState(false)

  const tryNow = async () => {
    setTrying(true)
    await checkConnection()
    setTrying(false)
  }

  return (
    <div
      role="status"
      className={classes.connection}
      data-away={connection !== 'answers' || undefined}
    >
      {connection === 'offline' && (
        <p>You are offline. Slipway tries again when the network is back.</p>
      )}
      {connection === 'silent' && (
        <>
          <p>The host does not answer. Trying again …</p>
          <Button
            size="compact-sm"
            variant="default"
            loading={isTrying}
            onClick={() => void tryNow()}
          >
            Try now
          </Button>
        </>
      )}
    </div>
  )
}
