import { expect, test } from 'vitest'
import { realSources } from '../../../server/core/clock'
import { Pairings } from '../../../server/features/pairings/pairings'

const start = (pairings: Pairings, address: string) =>
  pairings.start({ name: 'ci', address, project: null })

test('a network keeps its five newest machines waiting, however many addresses it has', async () => {
  const pairings = new Pairings(realSources)
  const other = await start(pairings, '203.0.113.1')
  const started = []
  for (let device = 0; device < 6; device++)
    started.push(await start(pairings, `2001:db8:7:${device}::1`))
  const [first, second] = started

  expect(() => pairings.collect(first!.pairing.id, first!.secret)).toThrow('Pairing not found')
  expect(pairings.collect(second!.pairing.id, second!.secret)).toBe('waiting')
  expect(pairings.collect(other.pairing.id, other.secret)).toBe('waiting')
})

test('a machine finds a place when strangers have taken all', async () => {
  const pairings = new Pairings(realSources)
  for (let device = 0; device < 1000; device++)
    await start(pairings, `10.0.${device >> 2}.${device & 1}`)
  const honest = await start(pairings, '203.0.113.1')
  expect(pairings.collect(honest.pairing.id, honest.secret)).toBe('waiting')
})
