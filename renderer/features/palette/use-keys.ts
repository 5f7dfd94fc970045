import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { chooseFiles } from '../uploads/drop/drop-place'
import { areSingleKeysOn, pagesByKey } from './single-keys'

/** How long after `g` the letter of a page counts, in ms. */
const SEQUENCE_MS = 1500

interface Open {
  palette: () => void
  keys: () => void
}

/** Ctrl+K or ⌘K anywhere; single keys outside of fields and dialogs. */
export function useKeys(open: Open): void {
  const navigate = useNavigate()
  const press = useEffectEvent((event: KeyboardEvent, isAfterGo: boolean) => {
    const { key } = event
    const page = isAfterGo ? pagesByKey.find((candidate) => candidate.key === key) : undefined
    if (page) void navigate(page.path)
    else if (key === '?') open.keys()
    else if (key === 'u') chooseFiles()
    else if (key !== '/' || !focusSearch()) return
    event.preventDefault()
  })

  const openPalette = useEffectEvent(() => open.palette())

  useEffect(() => {
    let goUntil = 0

    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return

      const { key, ctrlKey, metaKey, altKey } = event
      if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !event.shiftKey) {
        event.preventDefault()
        return openPalette()
      }

      if (
        ctrlKey ||
        metaKey ||
        altKey ||
        event.repeat ||
        !areSingleKeysOn() ||
        isTaken(event.target)
      )
        return

      const isAfterGo = event.timeStamp < goUntil
      goUntil = key === 'g' && !isAfterGo ? event.timeStamp + SEQUENCE_MS : 0
      press(event, isAfterGo)
    }

    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** Whether the key belongs to a field, a menu or a dialog. */
function isTaken(target: EventTarget | null): boolean {
  const hasDialog =
    document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') !== null
  const field = 'input, textarea, select, [contenteditable], [role="textbox"], [role="combobox"]'
  return hasDialog || (target instanceof Element && target.closest(field) !== null)
}

/** Focuses the search of the page. False: it has none. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]')
  field?.focus()
  field?.select()
  return field !== null
}
