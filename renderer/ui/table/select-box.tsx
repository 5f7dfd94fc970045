import { Group } from '@mantine/core'
import { useEffect, type ReactNode, type RefObject } from 'react'
import classes from './selection.module.css'
import type { Selection } from './use-selection'

interface SelectBoxProps<Item> {
  item: Item
  name: string
  selection: Selection<Item>
}

/** The first cell of a row that can be selected. */
export const Selectable = <Item,>({
  children,
  ...props
}: SelectBoxProps<Item> & { children: ReactNode }) => (
  <Group gap={0} wrap="nowrap" miw={0}>
    <SelectBox {...props} />
    {children}
  </Group>
)

/** The checkbox of a row. Shift extends the selection from the last checkbox. */
const SelectBox = <Item,>({ item, name, selection }: SelectBoxProps<Item>) => (
  // Otherwise a click with Shift selects the text of the rows too.
  <label className={classes.one} onMouseDown={(event) => event.shiftKey && event.preventDefault()}>
    <input
      type="checkbox"
      className={classes.box}
      aria-label={`Select ${name}`}
      checked={selection.isSelected(item)}
      onChange={({ currentTarget: { checked }, nativeEvent }) =>
        selection.toggle(item, checked, (nativeEvent as MouseEvent).shiftKey)
      }
    />
  </label>
)

interface SelectPageProps<Item> {
  selection: Selection<Item>
  isEmpty: boolean
  ref: RefObject<HTMLInputElement | null>
}

/** The checkbox of all rows of the page. */
export function SelectPage<Item>({ selection, isEmpty, ref }: SelectPageProps<Item>) {
  const { hereCount, isAll, togglePage } = selection
  useEffect(() => {
    if (ref.current) ref.current.indeterminate = hereCount > 0 && !isAll
  })

  return (
    <div className={classes.all}>
      <input
        type="checkbox"
        ref={ref}
        className={classes.box}
        title="Select all on this page"
        aria-label="Select all on this page"
        disabled={isEmpty}
        checked={isAll}
        onChange={togglePage}
      />
    </div>
  )
}
