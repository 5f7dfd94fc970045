import type { z } from 'zod'
import { formatQuantity } from '../../texts/format'

type Issue = z.core.$ZodRawIssue

const kinds: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/**
 * Describes an issue whose schema has no message of its own: 'limit must be a number'. Zod's
 * defaults address developers.
 */
export function inputWords(issue: Issue): string {
  const field = (issue.path ?? []).join('.')
  return `${field === '' ? 'The request' : field} ${wordsFor(issue)}`
}

function wordsFor(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is missing'
        : `must be ${kinds[issue.expected] ?? 'of another type'}`
    case 'invalid_value':
      return (
        'must be ' +
        `${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`
      )
    case 'too_small':
      return bound(issue.origin, issue.minimum, 'at least')
    case 'too_big':
      return bound(issue.origin, issue.maximum, 'at most')
    case 'unrecognized_keys':
      return `must not have ${issue.keys.join(', ')}`
    default:
      return 'has the wrong format'
  }
}

function bound(origin: string, limit: number | bigint, most: string): string {
  if (origin === 'string') return `must have ${most} ${formatQuantity(Number(limit), 'character')}`
  if (origin === 'array' || origin === 'set')
    return `must have ${most} ${formatQuantity(Number(limit), 'entry', 'entries')}`
  return `must be ${most} ${limit}`
}
