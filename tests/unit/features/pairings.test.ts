import { expect, test } from 'vitest'
import { realSources } from '../../../server/core/clock'
import { Pairings } from '../../../server/features/pairings/pairings'

const start = (pairings: Pairings, address: string) => pairings.start({ name: 'ci', address, project: null })

test('a network keeps five machines waiting, however many addresses it has', async () => {
  const pairings = new Pairings(realSources)
  for (let device = 0; device < 5; device++) await start(pairings, `2001:db8:7:${device}::1`)
  await expect(start(pairings, '2001:db8:7:9::1')).rejects.toMatchObject({ code: 'too_many_requests' })
})

test('a machine finds a place when strangers have taken all', async () => {
  const pairings = new Pairings(realSources)
  for (let device = 0; device < 1000; device++) await start(pairings, `10.0.${device >> 2}.${device & 1}`)
  const honest = await start(pairings, '203.0.113.1')
  expect(pairings.collect(honest.pairing.id, honest.secret)).toBe('waiting')
})
