import { useEffect, useState } from 'react'

const CLEARS_AFTER = 3000

export function useFleeting(message: string | undefined): string | undefined {
  const [shown, setShown] = useState(message)
  useEffect(() => {
    const timer = setTimeout(() => setShown(undefined), CLEARS_AFTER)
    return () => clearTimeout(timer)
  }, [])
  return shown
}
