import { expect, test } from 'vitest'
import { ForwardingShares } from '../../../server/cluster/forwarding/forwarding-shares'

test('people with an account get 128 places on the line from one network, and others still get one', () => {
  const shares = new ForwardingShares()
  const enter = (address: string) => shares.enter({ address, isVisitor: false })

  const [leave] = Array.from({ length: 128 }, () => enter('203.0.113.7'))
  expect(() => enter('203.0.113.7')).toThrow('Too many requests of your network')
  enter('198.51.100.9')
  leave?.()
  enter('203.0.113.7')
})
