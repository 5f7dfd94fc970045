import { Box, Group, Paper, Stack, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './data-table.module.css'
import { Beginnings, findBeginnings } from '../text/beginnings'
import { useIsNarrowerThan } from './use-is-phone'

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  /** In pixels; a column without a width takes the rest. */
  width?: number
  /** Takes only the room that its values need, up to `width`. */
  fits?: boolean
  align?: 'right'
  /**
   * Place in a row's card on a phone: the title and the menu on the first line, details and a
   * control such as a switch below them. `none` hides it. Default: `detail`.
   */
  onPhone?: 'title' | 'detail' | 'action' | 'control' | 'none'
  /** Shows the header in a card, where the value alone is unclear. */
  namedOnPhone?: boolean
  /**
   * The orders by this column, as the list calls them; a click starts with the first that is given.
   */
  sorts?: Partial<Record<'ascending' | 'descending', string>>
  /** Whether a row has no value. A column without any value is hidden. */
  isBlank?: (row: Row) => boolean
  /** Only for screen readers, above columns of buttons. */
  hideHeader?: boolean
}

/** A column of buttons, on a phone in the first line of the card. */
export const ACTIONS = {
  header: 'Actions',
  hideHeader: true,
  align: 'right',
  onPhone: 'action',
} as const satisfies Partial<Column<unknown>>

interface DataTableProps<Row> {
  /** The accessible name of the table: 'Your files'. */
  label: string
  rows: readonly Row[]
  rowKey: (row: Row) => string
  columns: readonly Column<Row>[]
  /** The order of the rows, and how to change it. */
  sort?: string
  onSort?: (sort: string) => void
  /** The name of a row, if long names of the list may begin alike. */
  nameOf?: (row: Row) => string
  /** Dims the rows while newer ones load. */
  stale?: boolean
}

/** Rows as a table, or as cards on narrow screens. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, nameOf, stale } = props
  const columns = props.columns.filter(({ isBlank }) => !isBlank || !rows.every(isBlank))
  const isNarrow = useIsNarrowerThan(neededBy(columns))

  return (
    <Beginnings value={nameOf ? findBeginnings(rows.map(nameOf)) : new Map()}>
      <Paper withBorder className={classes.frame} data-stale={stale === true || undefined}>
        {isNarrow ? <Cards {...props} columns={columns} /> : <Rows {...props} columns={columns} />}
      </Paper>
    </Beginnings>
  )
}

/** Minimum width of a column without a width, and the space beside the table, in pixels. */
const FLEXIBLE = 280
const AROUND = 64
/** Share of its largest width that a fitting column usually uses. */
const USUALLY_USED = 0.7

const neededBy = (columns: readonly { width?: number; fits?: boolean }[]): number =>
  columns.reduce(
    (sum, { width = FLEXIBLE, fits }) => sum + (fits ? width * USUALLY_USED : width),
    AROUND,
  )

/** Plain elements, which render quickly and load no code. */
function Rows<Row>({ label, rows, rowKey, columns, sort, onSort }: DataTableProps<Row>) {
  return (
    <table
      aria-label={label}
      className={classes.table}
      data-fits={columns.some(({ fits }) => fits) || undefined}
    >
      <thead>
        <tr>
          {columns.map(({ header, width, fits, align, hideHeader, sorts }) => (
            <th
              key={header}
              scope="col"
              style={fits ? {} : { width }}
              data-align={align}
              data-rest={!width || undefined}
              aria-sort={findDirection(sorts, sort)}
            >
              {hideHeader && <VisuallyHidden>{header}</VisuallyHidden>}
              {!hideHeader &&
                (sorts && onSort ? <SortButton {...{ header, sorts, sort, onSort }} /> : header)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ header, cell, width, fits, align }) => (
              <td
                key={header}
                style={fits ? { maxWidth: width } : {}}
                data-align={align}
                data-fits={fits}
                data-rest={!width || undefined}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type Sorts = NonNullable<Column<unknown>['sorts']>

const findDirection = (sorts: Sorts | undefined, sort: string | undefined) =>
  (['ascending', 'descending'] as const).find(
    (direction) => sort !== undefined && sorts?.[direction] === sort,
  )

interface SortButtonProps {
  header: string
  sorts: Sorts
  sort: string | undefined
  onSort: (sort: string) => void
}

/** Sorts by its column; a second click reverses the order. */
function SortButton({ header, sorts, sort, onSort }: SortButtonProps) {
  const [first = '', second = first] = Object.values(sorts)
  const direction = findDirection(sorts, sort)
  const Picture = direction === 'ascending' ? IconChevronUp : IconChevronDown

  return (
    <UnstyledButton
      className={classes.sort}
      onClick={() => onSort(sort === first ? second : first)}
    >
      {header}
      {direction && <Picture size={14} aria-hidden />}
    </UnstyledButton>
  )
}

function Cards<Row>({ label, rows, rowKey, columns }: DataTableProps<Row>) {
  const at = (place: Column<Row>['onPhone']) =>
    columns.filter(({ onPhone = 'detail' }) => onPhone === place)

  return (
    <ul className={classes.cards} aria-label={label}>
      {rows.map((row) => (
        <li key={rowKey(row)} className={classes.card}>
          <Stack gap={4} className={classes.title}>
            {at('title').map(({ header, cell }) => (
              <Box key={header}>{cell(row)}</Box>
            ))}
          </Stack>
          {at('action').map(({ header, cell }) => (
            <Box key={header} className={classes.action}>
              {cell(row)}
            </Box>
          ))}
          <Group align="baseline" gap="4px 12px" c="dimmed" fz="xs" className={classes.details}>
            {at('detail').map(({ header, cell, namedOnPhone }) => (
              <Box key={header} className={classes.detail} data-named={namedOnPhone}>
                {namedOnPhone && `${header}: `}
                {namedOnPhone ? <div>{cell(row)}</div> : cell(row)}
              </Box>
            ))}
          </Group>
          {at('control').map(({ header, cell }) => (
            <Box key={header} className={classes.control}>
              {cell(row)}
            </Box>
          ))}
        </li>
      ))}
    </ul>
  )
}
