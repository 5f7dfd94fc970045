import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect } from 'vitest'
import { updaterCard } from '../../../server/contract/update-clients/update-clients'
import { named, noRoot } from '../../support/system/rounds'
import { aPacmanComputer } from '../../support/install/pacman-computer'
import { aPacmanPackage } from '../../support/packages/for-managers'
import { aLockedLink } from '../../support/install/locked-link'
import { needTools } from '../../support/system/debian'
import { aRocket } from '../../support/world/factories'
import { test } from '../../support/world/http'

describe.skipIf(noRoot)('feeds.repository, for pacman', () => {
  beforeAll(() => needTools('curl', 'pacman', '/usr/share/makepkg/util/message.sh'), 180_000)

  test(
    named(
      'pacman installs and upgrades by the lines of a tester link with a password, and refuses another index',
    ),
    async ({ server }) => {
      const { id, owner, publish: add } = await aRocket(server, false)
      const publish = (version: string) =>
        add('rocket.pkg.tar.zst', { bytes: aPacmanPackage('rocket', version) })
      const { dir, conf, enter, installed } = await aPacmanComputer()
      const fingerprint = await server.inside.releaseKeys.openpgpFingerprint()
      await publish('1.0.0-1')
      const { base } = await aLockedLink(server, owner, id)
      const lines =
        updaterCard('pacman', {
          ...{ address: server.url + base, slug: 'rocket', channel: 'stable' },
          ...{ names: ['rocket'], fingerprint },
        })?.lines?.pacman ?? ''
      await enter(lines)
      expect(await installed()).toBe('rocket 1.0.0-1')
      await publish('1:0.9+git~1-1')
      await enter(lines)
      expect(await installed()).toBe('rocket 1:0.9+git~1-1')
      expect((await readFile(conf, 'utf8')).match(/^\[rocket\]$/gm)).toHaveLength(1)

      const pool = `${base}/feeds/pacman/stable/x86_64/rocket-1:0.9+git~1-1-any.pkg.tar.zst`
      expect((await server.fetch(pool, { method: 'HEAD' })).status).toBe(200)
      await owner.releases.withdraw({ id, version: '0.9+git~1' })
      expect((await server.fetch(pool)).status).toBe(404)

      // Our index of another day with the signature of this one.
      const get = async (path: string) =>
        Buffer.from(
          await (await server.fetch(`${base}/feeds/pacman/stable/x86_64/${path}`)).arrayBuffer(),
        )
      await mkdir(join(dir, 'mirror'))
      await writeFile(join(dir, 'mirror/rocket.db.sig'), await get('rocket.db.sig'))
      await publish('1.1.0-1')
      await writeFile(join(dir, 'mirror/rocket.db'), await get('rocket.db'))
      await writeFile(
        conf,
        (await readFile(conf, 'utf8')).replace(/^Server = .*$/m, `Server = file://${dir}/mirror`),
      )
      await expect(enter('sudo pacman -Syyu')).rejects.toThrow(
        'invalid or corrupted database (PGP signature)',
      )
    },
  )
})
