import { expect, test } from 'vitest'
import { MB } from '../../../server/contract'
import {
  hostSettings,
  hostSettingsSchema,
} from '../../../server/contract/host-settings/host-settings'
import {
  findChanges,
  findMistakes,
  listAddresses,
  toFormValues,
  toSettings,
  type SettingsValues,
} from '../../../renderer/features/host-settings/settings-values'

const defaults = Object.fromEntries(
  Object.entries(hostSettings).map(([name, { default: value }]) => [name, value]),
)
const settings = hostSettingsSchema.parse({
  ...defaults,
  ...{ sharing: false, bytes_per_second_per_visitor: 333_333, bytes_per_second_in_all: 2 * MB },
})

const parse = (values: SettingsValues) => hostSettingsSchema.safeParse(toSettings(values))
const changesOf = (values: SettingsValues) => findChanges(parse(values).data!, values, settings)
/** The first mistake of each field. */
function mistakesIn(values: SettingsValues): Record<string, string> {
  const issues = parse(values).error?.issues.toReversed() ?? []
  return Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]))
}

test('shows rates in MB/s, and leaves untouched fields unchanged', () => {
  const values = toFormValues(settings)
  expect(values).toMatchObject({
    bytes_per_second_per_transfer: '',
    bytes_per_second_per_visitor: 0.318,
    bytes_per_second_in_all: 2,
  })
  expect(changesOf(values)).toEqual({})
  expect(changesOf({ ...values, bytes_per_second_in_all: '' })).toEqual({
    bytes_per_second_in_all: null,
  })
  expect(changesOf({ ...values, bytes_per_second_per_transfer: '1.5' })).toEqual({
    bytes_per_second_per_transfer: 1.5 * MB,
  })
})

test('reports an invalid rate at its field', () => {
  expect(mistakesIn({ ...toFormValues(settings), bytes_per_second_in_all: 0 })).toEqual({
    bytes_per_second_in_all: 'At least 0.001 MB/s',
  })
  expect(mistakesIn({ ...toFormValues(settings), transfers_per_address: '' })).toEqual({
    transfers_per_address: 'Enter a whole number',
  })
})

test('the update feed must be HTTPS or local, so that nothing on the network can swap the program', () => {
  const told = (update_feed: string) =>
    mistakesIn({ ...toFormValues(settings), update_feed })['update_feed']
  expect(told('http://192.168.1.20:4780/api/projects/slipway/latest')).toMatch(
    /^Enter an https:\/\/ address/,
  )
  for (const fine of ['', 'https://builds.example/feed', 'http://127.0.0.1:4780/feed'])
    expect(told(fine)).toBeUndefined()
})

test('access to the host is one choice, and it needs at least one address', () => {
  const machine = [
    { address: '192.168.1.7', kind: 'wifi' as const },
    { address: '2001:db8::7', kind: 'network' as const },
  ]
  const values = toFormValues({ ...settings, shared_addresses: ['2001:db8::7'] })
  expect(values.reach).toBe('here')
  const chosen = { ...values, reach: 'chosen' as const }
  expect(changesOf(chosen)).toEqual({
    sharing: true,
    shared_addresses: ['2001:db8::7'],
  })
  expect(changesOf({ ...chosen, reach: 'all' })).toEqual({ sharing: true })
  expect(findMistakes({ ...chosen, shared_addresses: [] })).toEqual({
    shared_addresses: 'Choose at least one address',
  })
  expect(
    [values, { ...values, reach: 'all' as const }, chosen].map((it) => listAddresses(it, machine)),
  ).toEqual([[], ['192.168.1.7'], ['2001:db8::7']])
})
