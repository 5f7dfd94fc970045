import { timeWords } from '../../../server/texts/format'
import { formatAge, formatExactTime } from '../../lib/texts/format'
import { useNow } from './use-now'

interface TimeProps {
  /** UTC, ISO 8601. */
  value: string
  /** Lowercase, for use after words: 'Created just now'. */
  inSentence?: boolean
}

/** '5 minutes ago', kept current; the exact date on hover. */
export function Time({ value, inSentence = false }: TimeProps) {
  const now = useNow()
  return (
    <time dateTime={value} title={formatExactTime(value)}>
      {formatAge(value, now, timeWords[inSentence ? 'justNowInSentence' : 'justNow'])}
    </time>
  )
}
