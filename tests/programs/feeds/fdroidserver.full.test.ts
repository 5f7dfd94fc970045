import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { updaterCard } from '../../../server/contract/update-clients/update-clients'
import { cannotUnpack } from '../../../scripts/test/tools/unpacked'
import { aLockedLink } from '../../support/install/locked-link'
import { apiDemos } from '../../support/packages'
import { needTools, run, unpacked } from '../../support/system/debian'
import { aRocket } from '../../support/world/factories'
import { tempDir } from '../../support/system/temp-dir'
import { test } from '../../support/world/http'

/** Prints what the index of a repository says, as each version that F-Droid knows. */
const READ = `
import json, sys
from fdroidserver import common, index
common.config = common.read_config()
first, _ = index.download_repo_index_v1(sys.argv[1])
second, _ = index.download_repo_index_v2(sys.argv[1])
app = second["packages"]["io.appium.android.apis"]
print(json.dumps({
  "v1": [build["versionName"] for build in first["packages"]["io.appium.android.apis"]],
  "v2": [build["manifest"]["versionName"] for build in app["versions"].values()],
}))`

test.skipIf(cannotUnpack)(
  'fdroidserver reads both indexes by the address of the page, and refuses another fingerprint',
  async ({ server }) => {
    const { fdroidserver } = await unpacked('fdroidserver')
    await needTools('jarsigner')
    const { id, owner, publish } = await aRocket(server, false)
    await publish('demos.apk', { bytes: new Uint8Array(await readFile(apiDemos)) })
    const { base } = await aLockedLink(server, owner, id)
    await server.fetch(`${base}/feeds/fdroid/repo/entry.jar`)
    const fingerprint = (await server.inside.releaseKeys.jarFingerprint()) ?? ''
    const cwd = await tempDir()
    const modules = join(fdroidserver.file('usr/bin/fdroid'), '../../lib/python3/dist-packages')
    const env = { ...process.env, ...fdroidserver.env, PYTHONPATH: modules, HOME: cwd }
    const read = async (print: string) => {
      const card = updaterCard('fdroid', {
        ...{ address: server.url + base, slug: 'rocket', channel: 'stable' },
        ...{ names: [], fingerprint: print },
      })
      const repository = card?.feeds?.[0]?.address ?? ''
      return JSON.parse(
        (await run('/usr/bin/python3', ['-c', READ, repository], { cwd, env })).stdout,
      ) as unknown
    }
    expect(await read(fingerprint)).toEqual({ v1: ['5.0.0'], v2: ['5.0.0'] })
    await expect(
      read(fingerprint.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))),
    ).rejects.toThrow('fingerprint does not match')
  },
)
