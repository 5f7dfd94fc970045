import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sendPaced } from '../../../../server/data/bucket/copies/send-paced'

const KIB = 1024

test('bytes leave in larger slices while bandwidth is given at once, and in the least after a wait', async () => {
  const bytes = Buffer.from(Array.from({ length: 600 * KIB }, (_, index) => index % 251))
  const asked: number[] = []

  const sent = await buffer(
    sendPaced(bytes, (length) => {
      asked.push(length / KIB)
      return asked.length === 6 ? pause(20) : undefined
    }),
  )

  expect(sent.equals(bytes)).toBe(true)
  expect(asked).toEqual([8, 16, 32, 64, 128, 128, 8, 16, 32, 64, 104])
  expect(await buffer(sendPaced(bytes))).toEqual(bytes)
})

test('under a limit each slice is so small that the store hears of it in time', async () => {
  const asked: number[] = []
  const pace = (length: number) => {
    asked.push(length / KIB)
    return pause(10)
  }

  await buffer(sendPaced(Buffer.alloc(44 * KIB), pace))

  // Two copies at 1 KiB/s: 16 s, where the store ends a silence of 20 s.
  expect(asked).toEqual([8, 8, 8, 8, 8, 4])
})
