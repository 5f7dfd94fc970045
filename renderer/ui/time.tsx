import { useEffect, useState } from 'react'
import { formatAge, formatExactTime } from '../lib/format'

/** '5 minutes ago', kept true while it is shown; the exact date on hover. */
export function Time({ value }: { value: string }) {
  const now = useNow(60_000)
  return (
    <time dateTime={value} title={formatExactTime(value)}>
      {formatAge(value, now)}
    </time>
  )
}

function useNow(every: number): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), every)
    return () => clearInterval(timer)
  }, [every])
  return now
}
