import { Checkbox } from '@mantine/core'
import type { Ref } from 'react'
import classes from './selection.module.css'
import type { Selection } from './use-selection'

interface SelectBoxProps<Item> {
  item: Item
  name: string
  selection: Selection<Item>
}

/** The checkbox of a row. Shift extends the selection from the last checkbox. */
export const SelectBox = <Item,>({ item, name, selection }: SelectBoxProps<Item>) => (
  // Otherwise a click with Shift selects the text of the rows too.
  <label className={classes.one} onMouseDown={(event) => event.shiftKey && event.preventDefault()}>
    <Checkbox
      size="sm"
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
  ref: Ref<HTMLInputElement>
}

/** The checkbox of all rows of the page. */
export const SelectPage = <Item,>({ selection, isEmpty, ref }: SelectPageProps<Item>) => (
  <div className={classes.all}>
    <Checkbox
      ref={ref}
      size="sm"
      title="Select all on this page"
      aria-label="Select all on this page"
      disabled={isEmpty}
      checked={selection.isAll}
      indeterminate={selection.hereCount > 0 && !selection.isAll}
      onChange={selection.togglePage}
    />
  </div>
)
