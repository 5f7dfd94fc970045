import { Skeleton, Stack } from '@mantine/core'
import { modals } from '@mantine/modals'
import { Suspense } from 'react'
import { lazyPage } from '../../lib/lazy-page'
import { ErrorBoundary } from '../../ui/error-boundary'
import { FormAlert } from './form-alert'

const PasswordChange = lazyPage(() => import('./password-change'), 'PasswordChange')

/** Opens the dialog in which the signed-in person changes their password. */
export function openPasswordChange(): void {
  const dialog = modals.open({
    title: 'Change password',
    closeButtonProps: { 'aria-label': 'Close' },
    children: (
      <ErrorBoundary fallback={<FormAlert text="This form could not be loaded" detail="Load the page again." />}>
        <Suspense fallback={<FormSkeleton />}>
          <PasswordChange onDone={() => modals.close(dialog)} />
        </Suspense>
      </ErrorBoundary>
    ),
  })
}

function FormSkeleton() {
  return (
    <Stack gap="md" role="status" aria-label="Loading">
      {Array.from({ length: 3 }, (_, field) => (
        <Skeleton key={field} h={58} />
      ))}
      <Skeleton h={36} w={160} ml="auto" />
    </Stack>
  )
}
