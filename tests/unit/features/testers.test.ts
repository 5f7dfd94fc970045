import { expect, test } from 'vitest'
import { DEVICES_MAX } from '../../../server/contract'
import { TesterStore } from '../../../server/features/testers/tester-store'
import { openLibrary } from '../../support/data/temp-library'
import { tempDir } from '../../support/system/temp-dir'
import { TestClock } from '../../support/world/test-clock'

test('a confirmed device replaces the oldest unconfirmed one of a full link', async () => {
  const store = new TesterStore(await openLibrary(await tempDir()), new TestClock())
  const fields = { name: 'Berlin', channel: 'beta', passwordHash: null }
  const { tester } = await store.create({ id: 'lantern', ownerId: 'alice' }, fields)
  const add = (udid: string, isConfirmed: boolean) =>
    store.addDevice(tester.id, { udid, model: 'iPhone15,2', isConfirmed })
  const udids = () => store.find('lantern', tester.id)?.devices?.map(({ udid }) => udid)

  for (let number = 0; number < DEVICES_MAX; number++) await add(`guess-${number}`, false)
  await expect(add('guess', false)).rejects.toMatchObject({ code: 'too_many_records' })

  await add('phone', true)
  expect(udids()).toHaveLength(DEVICES_MAX)
  expect(udids()).toContain('phone')
  expect(udids()).not.toContain('guess-0')

  await add('guess-1', true)
  expect(udids()).toHaveLength(DEVICES_MAX)
  for (let number = 2; number < DEVICES_MAX; number++) await add(`phone-${number}`, true)
  await expect(add('another', true)).rejects.toMatchObject({ code: 'too_many_records' })
})
