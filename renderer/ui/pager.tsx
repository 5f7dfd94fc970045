import { Group, Pagination, Text } from '@mantine/core'
import { formatWhole } from '../lib/format'
import { useIsPhone } from './use-is-phone'

interface PagerProps {
  /** The first page is 1. */
  page: number
  pageSize: number
  total: number
  onPage: (page: number) => void
}

/** '51–100 of 10,000' and the way to the other pages. Nothing when everything fits on one. */
export function Pager({ page, pageSize, total, onPage }: PagerProps) {
  const isPhone = useIsPhone()
  const pages = Math.ceil(total / pageSize)
  if (pages <= 1) return null
  const first = (page - 1) * pageSize + 1
  const last = Math.min(page * pageSize, total)
  return (
    <Group justify="space-between" mt="md" gap="sm">
      <Text c="dimmed" size="xs">
        {formatWhole(first)}–{formatWhole(last)} of {formatWhole(total)}
      </Text>
      <Pagination
        size="sm"
        total={pages}
        value={page}
        onChange={onPage}
        siblings={isPhone ? 0 : 1}
        getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
        getControlProps={(control) => ({ 'aria-label': control === 'next' ? 'Next page' : 'Previous page' })}
      />
    </Group>
  )
}
