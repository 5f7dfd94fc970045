import { useState } from 'react'

/** Lists of up to this many items need no search and no order. */
const SHORT = 8

/** Whether a list needs its tools. Stays true, because a search makes the list short. */
export function useNeedsTools(total: number, isUsed: boolean): boolean {
  const [wasNeeded, setWasNeeded] = useState(false)
  const isNeeded = wasNeeded || isUsed || total > SHORT
  if (isNeeded && !wasNeeded) setWasNeeded(true)
  return isNeeded
}
