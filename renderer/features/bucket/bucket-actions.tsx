import { Button, Group } from '@mantine/core'
import { useRef, useState } from 'react'
import type { BucketView } from '../../../server/contract'
import { SwitchOffDialog, type Copies } from './switch-off-dialog'
import { useCheckCopies, useSwitchOff } from './use-bucket'

interface BucketActionsProps {
  view: BucketView
  /** The buttons of the old state have gone. */
  onDone: () => void
}

export function BucketActions({ view, onDone }: BucketActionsProps) {
  const isEnding = view.state === 'switching_off'
  const checking = useCheckCopies()
  const switchingOff = useSwitchOff(
    isEnding ? 'Failed to switch off downloads from the bucket' : undefined,
  )
  const [isAsking, setAsking] = useState(false)
  const button = useRef<HTMLButtonElement>(null)

  const close = () => {
    setAsking(false)
    button.current?.focus({ preventScroll: true })
  }

  // Not by callbacks of `mutate`, which do not run when the new state has unmounted this.
  const switchOff = async (copies: Copies) => {
    await switchingOff.mutateAsync(copies)
    setAsking(false)
    onDone()
  }

  return (
    <Group gap="xs">
      {isEnding ? (
        <Button
          variant="default"
          loading={switchingOff.isPending}
          onClick={() => void switchOff('keep').catch(() => undefined)}
        >
          Keep the rest
        </Button>
      ) : (
        <>
          <Button
            variant="default"
            loading={checking.isPending || view.check.running !== null}
            disabled={!view.keys_set}
            onClick={() => checking.mutate()}
          >
            Check copies now
          </Button>
          <Button
            ref={button}
            variant="default"
            aria-haspopup="dialog"
            onClick={() => setAsking(true)}
          >
            Switch off
          </Button>
        </>
      )}
      <SwitchOffDialog view={view} opened={isAsking} onClose={close} onConfirm={switchOff} />
    </Group>
  )
}
