import { Skeleton, Stack } from '@mantine/core'
import { TableSkeleton } from '../../../ui/table/skeletons'
import classes from './project-page.module.css'

export function ProjectSkeleton() {
  return (
    <Stack gap="lg" role="status" aria-label="Loading">
      <Stack gap="xs">
        <Skeleton h={12} w={72} />
        <Skeleton h={35} w="40%" />
        <Skeleton h={20} w="60%" />
      </Stack>
      <Skeleton h={54} />
      <div className={classes.stats}>
        {Array.from({ length: 3 }, (_, tile) => (
          <Skeleton key={tile} h={70} />
        ))}
      </div>
      <Skeleton h={46} />
      <TableSkeleton rows={4} />
    </Stack>
  )
}
