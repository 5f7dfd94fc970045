import { expect, test } from 'vitest'
import { z } from 'zod'
import { inputWords } from '../../../server/http/endpoint/input-words'

const schema = z.object({
  name: z.string().min(2).max(3).default('abc'),
  limit: z.coerce.number().int().min(1).max(100).default(1),
  is_public: z.boolean().default(false),
  visibility: z.enum(['public', 'private']).default('public'),
  ids: z.array(z.string()).min(1).max(2).default(['a']),
  site: z.url().optional(),
  title: z.string('Give it a title').default('x'),
})

const said = (value: unknown) =>
  schema.safeParse(value, { error: inputWords }).error?.issues[0]?.message

test.each([
  [{ name: 7 }, 'name must be a text'],
  [{ name: 'a' }, 'name must have at least 2 characters'],
  [{ name: 'abcd' }, 'name must have at most 3 characters'],
  [{ limit: 'many' }, 'limit must be a number'],
  [{ limit: '1.5' }, 'limit must be a whole number'],
  [{ limit: '0' }, 'limit must be at least 1'],
  [{ limit: '101' }, 'limit must be at most 100'],
  [{ is_public: 'yes' }, 'is_public must be true or false'],
  [{ visibility: 'all' }, 'visibility must be one of public, private'],
  [{ ids: [] }, 'ids must have at least 1 entry'],
  [{ ids: ['a', 'b', 'c'] }, 'ids must have at most 2 entries'],
  [{ ids: [1] }, 'ids.0 must be a text'],
  [{ site: 'x' }, 'site has the wrong format'],
  [{ title: 7 }, 'Give it a title'],
  [7, 'The request must be an object'],
])('%j: %s', (value, words) => expect(said(value)).toBe(words))

test('a field that is missing is said so', () => {
  const result = z.object({ file_id: z.string() }).safeParse({}, { error: inputWords })
  expect(result.error?.issues[0]?.message).toBe('file_id is missing')
})
