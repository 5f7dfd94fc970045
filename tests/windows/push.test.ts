import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { MB } from '../../server/contract'
import { sha256 } from '../support/system/sha256'
import { tempDir } from '../support/system/temp-dir'
import { clientAt, fetchAt, register, startHost } from '../support/world/place'
import { built } from '../support/world/process'

test('a host on Windows serves 50 MB of slipway push, also after a restart', async () => {
  const folder = await tempDir()
  const bytes = randomBytes(50 * MB)
  await writeFile(join(folder, 'rocket-1.4.0.zip'), bytes)
  const host = await startHost(join(folder, 'data'))
  const place = await register(host)
  await clientAt(place).projects.create({ title: 'Rocket', is_public: true })

  const command = join(built(), '../renderer/cli.mjs')
  const env = { ...process.env, SLIPWAY_URL: host.url, SLIPWAY_KEY: place.key }
  const push = [command, 'push', 'rocket-1.4.0.zip', '--project', 'rocket']
  await promisify(execFile)(process.execPath, push, { cwd: folder, env })
  await host.stop()

  const { url } = await startHost(join(folder, 'data'))
  const again = { ...place, url }
  const { files } = await clientAt(again).files.mine({})
  const arrived = await fetchAt(again)(`/api/files/${files[0]?.file_id}/download`)
  expect(arrived.status).toBe(200)
  expect(sha256(new Uint8Array(await arrived.arrayBuffer()))).toBe(sha256(bytes))
})
