import { useEffect, useState } from 'react'

const CLEARS_AFTER_MS = 3000

/** Returns the message for three seconds after the first render, then undefined. */
export function useTemporaryMessage(message: string | undefined): string | undefined {
  const [visibleMessage, setVisibleMessage] = useState(message)

  useEffect(() => {
    const timer = setTimeout(() => setVisibleMessage(undefined), CLEARS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])

  return visibleMessage
}
