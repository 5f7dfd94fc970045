import { useEffect, useState } from 'react'
import { formatAge, formatExactTime } from '../lib/format'
import { messages } from '../lib/messages'

interface TimeProps {
  /** UTC, ISO 8601. */
  value: string
  /** What stands before it begins the sentence: 'Created just now'. */
  inSentence?: boolean
}

/** '5 minutes ago', kept true while it is shown; the exact date on hover. */
export function Time({ value, inSentence = false }: TimeProps) {
  const now = useNow(60_000)
  return (
    <time dateTime={value} title={formatExactTime(value)}>
      {formatAge(value, now, messages.time[inSentence ? 'justNowInSentence' : 'justNow'])}
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
