import { useWindowEvent } from '@mantine/hooks'
import { useRef, useState } from 'react'

interface ListPage<Item> {
  items: readonly Item[]
  idOf: (item: Item) => string
  page: number
  /** False while another page loads. */
  isCurrent: boolean
}

/** The selected rows of a list. */
export interface Selection<Item> {
  selected: readonly Item[]
  /** How many of them are on this page. */
  hereCount: number
  /** Whether every row of this page is selected. */
  isAll: boolean
  isSelected: (item: Item) => boolean
  set: (items: readonly Item[], isSelected: boolean) => void
  /** Selects a whole list, page by page in its order. */
  setAll: (items: readonly Item[], perPage: number) => void
  /** `isRange` also toggles all rows since the last one. */
  toggle: (item: Item, isSelected: boolean, isRange: boolean) => void
  /** Selects the rows of this page, or deselects them. */
  togglePage: () => void
  clear: () => void
}

/**
 * The selection across all pages; Escape clears it. A row that left its page (deleted elsewhere,
 * filtered out) is deselected.
 */
export function useSelection<Item>({
  items,
  idOf,
  page,
  isCurrent,
}: ListPage<Item>): Selection<Item> {
  const [marks, setMarks] = useState<ReadonlyMap<string, { item: Item; page: number }>>(new Map())
  const last = useRef<string>(undefined)

  const onPage = new Map(items.map((item) => [idOf(item), item]))
  const remainingMarks = [...marks].filter(
    ([id, mark]) => !isCurrent || mark.page !== page || onPage.has(id),
  )
  if (remainingMarks.length < marks.size) setMarks(new Map(remainingMarks))
  const selected = remainingMarks.map(([id, mark]) => onPage.get(id) ?? mark.item)

  const set = (some: readonly Item[], isSelected: boolean) =>
    setMarks((before) => {
      const next = new Map(before)
      for (const item of some) {
        if (isSelected) next.set(idOf(item), { item, page })
        else next.delete(idOf(item))
      }
      return next
    })
  const clear = () => setMarks(new Map())

  useWindowEvent('keydown', ({ key, target }) => {
    if (key === 'Escape' && selected.length > 0 && !hasOwnEscape(target)) clear()
  })

  const hereCount = selected.filter((item) => onPage.has(idOf(item))).length
  const isAll = items.length > 0 && hereCount === items.length
  return {
    selected,
    hereCount,
    isAll,
    isSelected: (item) => marks.has(idOf(item)),
    set,
    setAll: (all, perPage) =>
      setMarks(
        new Map(
          all.map((item, index) => [idOf(item), { item, page: Math.floor(index / perPage) + 1 }]),
        ),
      ),
    toggle: (item, isSelected, isRange) => {
      const ids = items.map(idOf)
      const [from, to] = [ids.indexOf(last.current ?? ''), ids.indexOf(idOf(item))]
      const range = items.slice(Math.min(from, to), Math.max(from, to) + 1)
      set(isRange && from >= 0 ? range : [item], isSelected)
      last.current = idOf(item)
    },
    togglePage: () => set(items, !isAll),
    clear,
  }
}

/** Menus, dialogs and fields use Escape themselves. */
const hasOwnEscape = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('[role=menu], [role=dialog], input:not([type=checkbox])') !== null
