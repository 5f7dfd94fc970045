import { expect, test } from 'vitest'
import { Turns } from '../../../../server/features/resumable-uploads/turns'

test('a turn that the disk still holds after it was cut is waited for, but not forever', async () => {
  const turns = new Turns(0)
  const holder = await turns.take('upload')
  let cuts = 0
  holder.waitsForClient(() => void cuts++)

  await expect(turns.take('upload')).rejects.toMatchObject({
    code: 'locked',
    headers: { 'Retry-After': '3' },
  })
  const next = turns.take('upload')
  holder.end()

  await next
  expect(cuts).toBe(1)
})
