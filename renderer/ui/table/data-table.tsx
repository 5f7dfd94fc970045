import { Box, Group, Paper, Stack, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './data-table.module.css'
import { useIsNarrowerThan } from './use-is-phone'

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  /** Columns without a width share what the others leave. */
  width?: number
  align?: 'right'
  /** Where the cell stands in a row's card on a phone; `none` leaves it out. Default: `detail`. */
  onPhone?: 'title' | 'detail' | 'action' | 'none'
  /** In a card the header stands before the cell, where the cell alone would be a riddle. */
  namedOnPhone?: boolean
  /** For columns of buttons: the header is there for screen readers only. */
  hideHeader?: boolean
}

interface DataTableProps<Row> {
  /** What the rows are: 'Your files'. */
  label: string
  rows: readonly Row[]
  rowKey: (row: Row) => string
  columns: readonly Column<Row>[]
  /** Shown dimmed while a newer page of rows is on its way. */
  stale?: boolean
}

/** Rows as a table, and as cards where the screen is too narrow for one. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const isNarrow = useIsNarrowerThan(neededBy(props.columns))
  return (
    <Paper withBorder className={classes.frame} data-stale={props.stale === true || undefined}>
      {isNarrow ? <Cards {...props} /> : <Rows {...props} />}
    </Paper>
  )
}

/** What a column without a width needs to be readable, and what stands beside the table on every page. */
const FLEXIBLE = 200
const AROUND = 64

const neededBy = (columns: readonly { width?: number }[]): number =>
  columns.reduce((sum, { width = FLEXIBLE }) => sum + width, AROUND)

/** Plain elements: a page of rows is drawn at once, and nothing is fetched for it. */
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
