import { Box, Table } from '@mantine/core'
import type { ProjectDay } from '../../../../server/contract'
import { formatWhole } from '../../../lib/texts/format'
import { formatLongDay } from './history'
import classes from './history-table.module.css'

export function HistoryTable({ days }: { days: readonly ProjectDay[] }) {
  return (
    <Box
      mah={400}
      maw={560}
      style={{ overflowY: 'auto' }}
      tabIndex={0}
      role="region"
      aria-label="Statistics by day"
    >
      <Table
        stickyHeader
        verticalSpacing={6}
        horizontalSpacing="xs"
        className={classes.numbers}
        data={{
          head: ['Day', 'Downloads', 'Views'],
          body: days
            .toReversed()
            .map(({ date, downloads, views }) => [
              formatLongDay(date),
              formatWhole(downloads),
              formatWhole(views),
            ]),
        }}
      />
    </Box>
  )
}
