import { Skeleton, Stack } from '@mantine/core'
import pageClasses from '../../ui/page.module.css'

/** Holds the place of a page whose code is on its way. */
export function PagePlaceholder() {
  return (
    <div className={pageClasses.page} role="status" aria-label="Loading">
      <Stack gap="sm">
        <Skeleton h={32} w="min(18rem, 60%)" />
        <Skeleton h={16} w="min(28rem, 90%)" mb="lg" />
        <Skeleton h={160} />
      </Stack>
    </div>
  )
}
