import { Button } from '@mantine/core'
import type { ReactNode } from 'react'

interface SaveButtonProps {
  hasChanges: boolean
  loading: boolean
  variant?: 'default'
  children: ReactNode
}

/** Submits a form that has changes. Saving leaves none, and a disabled button would lose the focus. */
export function SaveButton({ hasChanges, loading, variant, children }: SaveButtonProps) {
  return (
    <Button
      type="submit"
      variant={variant ?? 'filled'}
      loading={loading}
      aria-disabled={!hasChanges}
      data-disabled={!hasChanges}
      onClick={(event) => {
        if (!hasChanges) event.preventDefault()
      }}
    >
      {children}
    </Button>
  )
}
