import { expect, test } from 'vitest'
import { connectionsFor, softLimit } from '../../../server/http/listen/descriptors'

test.for([
  [300, 150],
  [512, 256],
  [1024, 768],
  [8192, 7936],
  [1_048_576, 8192],
  [Infinity, 8192],
] as const)('%d descriptors are enough for %d connections', ([descriptors, connections]) => {
  expect(connectionsFor(descriptors)).toBe(connections)
})

test('reads the soft limit of open files from /proc/self/limits', () => {
  const limits = (soft: string) =>
    `Limit                     Soft Limit           Hard Limit           Units\nMax open files            ${soft}                 4096                 files\n`
  expect(softLimit(limits('1024'))).toBe(1024)
  expect(softLimit(limits('unlimited'))).toBe(Infinity)
  expect(softLimit('')).toBe(8192)
})
