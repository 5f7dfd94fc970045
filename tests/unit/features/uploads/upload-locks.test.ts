import { expect, test } from 'vitest'
import { UploadLocks } from '../../../../server/features/resumable-uploads/upload-locks'

test('waits for a lock that the disk still holds after its request was cut, but not forever', async () => {
  const locks = new UploadLocks(0)
  const holder = await locks.take('upload')
  let cuts = 0
  holder.waitsForClient(() => void cuts++)

  await expect(locks.take('upload')).rejects.toMatchObject({
    code: 'locked',
    headers: { 'Retry-After': '3' },
  })
  const next = locks.take('upload')
  holder.end()

  await next
  expect(cuts).toBe(1)
})
