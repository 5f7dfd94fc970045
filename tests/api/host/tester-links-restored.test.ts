import { join } from 'node:path'
import { expect } from 'vitest'
import { backUp } from '../../../server/data/backup/backup'
import { restore } from '../../../server/data/backup/restore'
import { aFile, aProject } from '../../support/world/factories'
import { test } from '../../support/world/http'

test('a restored backup keeps tester links, passwords and counts', async ({ server, clock, folder, alice }) => {
  const { project_id: id } = await aProject(server, alice)
  await aFile(server, alice, { filename: 'rocket.apk', project_id: id, version: '1.0', bytes: 'private' })
  const made = await server.as(alice).testers.create({ id, name: 'Beta group', password: 'open sesame' })
  const file = `${new URL(made.url).pathname}/releases/1.0/rocket.apk`
  const headers = { authorization: `Basic ${btoa('any:open sesame')}` }
  expect(await (await server.fetch(file, { headers })).text()).toBe('private')
  await server.close()
  await backUp(server.dataDir, join(folder, 'backups'), clock.now())
  const dataDir = join(folder, 'restored')
  await restore(join(folder, 'backups'), dataDir)

  const restored = await server.restart({ dataDir })
  expect(restored.inside.counts.ofTester(made.tester.tester_id)).toMatchObject({ downloads: 1 })
  expect((await restored.fetch(file)).status).toBe(401)
  expect(await (await restored.fetch(file, { headers })).text()).toBe('private')
})
