import { expect, test } from 'vitest'
import { choosePeople, type Sorting } from '../../../renderer/features/people/choose-people'
import type { Person } from '../../../server/contract'

const aPerson = (username: string, fields: Partial<Person> = {}): Person => ({
  user_id: `id-of-${username}`,
  username,
  email: `${username}@example.com`,
  tier_name: 'Free',
  is_host: false,
  disabled: false,
  has_factor: false,
  has_identity: false,
  created_at: '2030-01-02T03:04:05.000Z',
  files: 0,
  used: 0,
  ...fields,
})

const people = [
  aPerson('Zoe', { created_at: '2030-01-01T00:00:00.000Z', used: 5 }),
  aPerson('person-10', {
    created_at: '2030-01-02T00:00:00.000Z',
    used: 7,
    email: 'ten@zoo.example',
  }),
  aPerson('person-9', { created_at: '2030-01-03T00:00:00.000Z' }),
]
const namesOf = (search: string, sorting: Sorting) =>
  choosePeople(people, search, sorting).map(({ username }) => username)

test('finds text in usernames and email addresses, without regard to case and outer spaces', () => {
  expect(namesOf(' ZO ', 'oldest')).toEqual(['Zoe', 'person-10'])
  expect(namesOf('son-9', 'oldest')).toEqual(['person-9'])
  expect(namesOf('nobody', 'oldest')).toEqual([])
})

test.each<[Sorting, string[]]>([
  ['oldest', ['Zoe', 'person-10', 'person-9']],
  ['newest', ['person-9', 'person-10', 'Zoe']],
  ['storage', ['person-10', 'Zoe', 'person-9']],
  ['name', ['person-9', 'person-10', 'Zoe']],
])('sorts by %s', (sorting, expected) => {
  expect(namesOf('', sorting)).toEqual(expected)
})
