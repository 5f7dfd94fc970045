import { Box, Table } from '@mantine/core'
import type { ProjectDay } from '../../../../server/contract'
import { formatWhole } from '../../../lib/texts/format'
import { Disclosure } from '../../../ui/layout/disclosure'
import { formatLongDay } from './history'

export function HistoryTable({ days }: { days: readonly ProjectDay[] }) {
  return (
    <Disclosure label="Show as a table">
      <Box mah={400} maw={560} style={{ overflowY: 'auto' }} tabIndex={0} role="region" aria-label="Statistics by day">
        <Table stickyHeader verticalSpacing={6} horizontalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Day</Table.Th>
              <Table.Th ta="right">Downloads</Table.Th>
              <Table.Th ta="right">Views</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {days.toReversed().map(({ date, downloads, views }) => (
              <Table.Tr key={date}>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatLongDay(date)}</Table.Td>
                <Table.Td ta="right">{formatWhole(downloads)}</Table.Td>
                <Table.Td ta="right">{formatWhole(views)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
    </Disclosure>
  )
}
