import { Skeleton, Stack } from '@mantine/core'
import pageClasses from '../../ui/layout/page.module.css'
import classes from './frame.module.css'

/** Holds the place of a page whose code is on its way; not for a blink, in which the page's own skeleton would follow. */
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
