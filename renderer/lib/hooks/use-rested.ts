import { useEffect, useState } from 'react'

/** By then the page has loaded on most lines. */
const MOMENT = 3000

/** True a moment after the start, for work that must not delay the page. */
export function useRested(): boolean {
  const [rested, setRested] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setRested(true), MOMENT)
    return () => clearTimeout(timer)
  }, [])
  return rested
}
