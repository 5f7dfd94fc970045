import { useEffect, useState } from 'react'

/** Long enough for the page to be there on most lines. */
const MOMENT = 3000

/** True a moment after the start: for what must not stand in the way of the page itself. */
export function useRested(): boolean {
  const [rested, setRested] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setRested(true), MOMENT)
    return () => clearTimeout(timer)
  }, [])
  return rested
}
