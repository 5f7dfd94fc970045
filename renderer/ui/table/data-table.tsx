import { Box, Group, Paper, Stack, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './data-table.module.css'
import { useIsNarrowerThan } from './use-is-phone'

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  /** In pixels; columns without a width share the rest. */
  width?: number
  align?: 'right'
  /** Position in a row's card on a phone; `none` hides it. Default: `detail`. */
  onPhone?: 'title' | 'detail' | 'action' | 'none'
  /** Shows the header in a card, where the value alone is unclear. */
  namedOnPhone?: boolean
  /** Only for screen readers, above columns of buttons. */
  hideHeader?: boolean
}

interface DataTableProps<Row> {
  /** The accessible name of the table: 'Your files'. */
  label: string
  rows: readonly Row[]
  rowKey: (row: Row) => string
  columns: readonly Column<Row>[]
  /** Dims the rows while newer ones load. */
  stale?: boolean
}

/** Rows as a table, or as cards on narrow screens. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const isNarrow = useIsNarrowerThan(neededBy(props.columns))
  return (
    <Paper withBorder className={classes.frame} data-stale={props.stale === true || undefined}>
      {isNarrow ? <Cards {...props} /> : <Rows {...props} />}
    </Paper>
  )
}

/** Minimum width of a column without a width, and the space beside the table, in pixels. */
const FLEXIBLE = 200
const AROUND = 64

const neededBy = (columns: readonly { width?: number }[]): number =>
  columns.reduce((sum, { width = FLEXIBLE }) => sum + width, AROUND)

/** Plain elements, which render quickly and load no code. */
function Rows<Row>({ label, rows, rowKey, columns }: DataTableProps<Row>) {
  return (
    <table aria-label={label} className={classes.table}>
      <thead>
        <tr>
          {columns.map(({ header, width, align, hideHeader }) => (
            <th key={header} scope="col" style={{ width }} data-align={align}>
              {hideHeader ? <VisuallyHidden>{header}</VisuallyHidden> : header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ header, cell, align }) => (
              <td key={header} data-align={align}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Cards<Row>({ label, rows, rowKey, columns }: DataTableProps<Row>) {
  const at = (place: Column<Row>['onPhone']) => columns.filter(({ onPhone = 'detail' }) => onPhone === place)
  return (
    <ul className={classes.cards} aria-label={label}>
      {rows.map((row) => (
        <li key={rowKey(row)} className={classes.card}>
          <Stack gap={4} className={classes.grow}>
            {at('title').map(({ header, cell }) => (
              <Box key={header}>{cell(row)}</Box>
            ))}
            <Group gap="4px 12px" c="dimmed" fz="xs">
              {at('detail').map(({ header, cell, namedOnPhone }) => (
                <Box key={header} className={classes.detail}>
                  {namedOnPhone && `${header}: `}
                  {cell(row)}
                </Box>
              ))}
            </Group>
          </Stack>
          {at('action').map(({ header, cell }) => (
            <Box key={header}>{cell(row)}</Box>
          ))}
        </li>
      ))}
    </ul>
  )
}
