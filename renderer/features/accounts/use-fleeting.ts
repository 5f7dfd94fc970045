import { useEffect, useState } from 'react'

/** Messages clear after this long. */
const CLEARS_AFTER = 3000

/** A message that is there at first and goes away by itself. */
export function useFleeting(message: string | undefined): string | undefined {
  const [shown, setShown] = useState(message)
  useEffect(() => {
    const timer = setTimeout(() => setShown(undefined), CLEARS_AFTER)
    return () => clearTimeout(timer)
  }, [])
  return shown
}
