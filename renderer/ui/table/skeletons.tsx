import { Card, Group, Skeleton, Stack } from '@mantine/core'

export function TableSkeleton({ rows }: { rows: number }) {
  return (
    <div role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <Group
          key={row}
          h={53}
          px="md"
          gap="md"
          wrap="nowrap"
          style={{ borderTop: '1px solid var(--border-quiet)' }}
        >
          <Skeleton h={24} w={24} style={{ flexShrink: 0 }} />
          <Skeleton h={14} w={`${38 - (row % 3) * 7}%`} />
          <Skeleton h={14} w={64} ml="auto" style={{ flexShrink: 0 }} />
          <Skeleton h={14} w={96} style={{ flexShrink: 0 }} visibleFrom="sm" />
        </Group>
      ))}
    </div>
  )
}

export function CardSkeleton() {
  return (
    <Card role="status" aria-label="Loading">
      <Group gap="sm" wrap="nowrap" mb={8}>
        <Skeleton h={40} w={40} style={{ flexShrink: 0 }} />
        <Stack gap={8} flex={1}>
          <Skeleton h={16} w="60%" />
          <Skeleton h={10} w="30%" />
        </Stack>
      </Group>
      <Stack gap={8} h={41} justify="center">
        <Skeleton h={12} />
        <Skeleton h={12} w="80%" />
      </Stack>
      <Skeleton h={10} w="40%" mt={20} mb={3} />
    </Card>
  )
}
