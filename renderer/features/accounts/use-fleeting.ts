import { useEffect, useState } from 'react'

const CLEARS_AFTER = 3000

export function useFleeting(message: string | undefined): string | undefined {
  const [visibleMessage, setVisibleMessage] = useState(message)
  useEffect(() => {
    const timer = setTimeout(() => setVisibleMessage(undefined), CLEARS_AFTER)
    return () => clearTimeout(timer)
  }, [])
  return visibleMessage
}
