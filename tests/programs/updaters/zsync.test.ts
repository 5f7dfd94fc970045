import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect } from 'vitest'
import { named, noRoot } from '../../support/system/rounds'
import { anAppImage } from '../../support/packages/app-image'
import { needTools, run } from '../../support/system/debian'
import { aRocket } from '../../support/world/factories'
import { test as base } from '../../support/world/http'
import { tempDir } from '../../support/system/temp-dir'

const test = base.extend({ config: { idleLookMs: 20 } })

beforeAll(() => needTools('zsync'), 180_000)

test.skipIf(noRoot)(
  named('zsync updates an AppImage that names it, with less than 40 % of the bytes'),
  async ({ server }) => {
    const { publish } = await aRocket(server)
    const feed = `${server.url}/p/rocket/feeds/zsync/stable/x64.zsync`
    const content = randomBytes(1_000_000)
    const before = anAppImage(`zsync|${feed}`, content)
    const after = anAppImage(
      `zsync|${feed}`,
      Buffer.concat([content.subarray(0, 500_000), randomBytes(9000), content.subarray(500_000)]),
    )
    const newest = anAppImage('gh-releases-zsync|a', content)
    const { file_id: other } = await publish('Rocket-1.2.0.AppImage', {
      version: '1.2.0',
      bytes: newest,
    })
    await publish('Rocket-1.0.0.AppImage', { version: '1.0.0', bytes: before })
    const { file_id } = await publish('Rocket-1.1.0.AppImage', { version: '1.1.0', bytes: after })
    const sizeOf = (id: string) => server.inside.files.find(id)?.zsyncSize
    await expect.poll(() => sizeOf(file_id)).toBeGreaterThan(0)
    await expect.poll(() => sizeOf(other)).toBe(0)
    const dir = await tempDir()
    await writeFile(join(dir, 'old'), before)
    const { stdout } = await run('zsync', ['-i', 'old', '-o', 'new', feed], { cwd: dir })

    expect((await readFile(join(dir, 'new'))).equals(after)).toBe(true)
    expect(stdout).toContain('checksum matches OK')
    const [, local = '', fetched = ''] = /used (\d+) local, fetched (\d+)/.exec(stdout) ?? []
    expect(Number(local)).toBeGreaterThan(0)
    expect(Number(fetched) / after.length).toBeLessThan(0.4)
    // Gear Lever takes the newest, by the address without `.zsync`, and compares sizes.
    const whole = await server.fetch('/p/rocket/feeds/zsync/stable/x64')
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(newest.length),
    })
    for (const name of ['arm64.zsync', 'arm64'])
      expect((await server.fetch(`/p/rocket/feeds/zsync/stable/${name}`)).status).toBe(404)
  },
)
