import { Group, Skeleton, Stack } from '@mantine/core'
import classes from './project.module.css'

export function ProjectSkeleton() {
  return (
    <div className={classes.page} role="status" aria-label="Loading">
      <Group gap="md" mb="lg" wrap="nowrap">
        <Skeleton h={56} w={56} style={{ flexShrink: 0 }} />
        <Stack gap={8} flex={1}>
          <Skeleton h={28} w="min(20rem, 70%)" />
          <Skeleton h={16} w="min(30rem, 90%)" />
        </Stack>
      </Group>
      <div className={classes.columns}>
        <Skeleton className={classes.main} h={216} />
        <Skeleton className={classes.side} h={216} />
      </div>
    </div>
  )
}
