import { Skeleton, Stack } from '@mantine/core'
import pageClasses from '../../ui/layout/page.module.css'
import classes from './frame.module.css'

/** Delayed, because the page's own skeleton follows soon. */
export function PagePlaceholder() {
  return (
    <div className={`${pageClasses.page} ${classes.placeholder}`} role="status" aria-label="Loading">
      <Stack gap="sm">
        <Skeleton h={32} w="min(18rem, 60%)" />
        <Skeleton h={16} w="min(28rem, 90%)" mb="lg" />
        <Skeleton h={160} />
      </Stack>
    </div>
  )
}
