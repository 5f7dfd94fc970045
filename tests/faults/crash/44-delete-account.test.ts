import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askHost } from '../../../server/cli/ask-host'
import { readLibrary } from '../../../server/data/library/read-library'
import { verify } from '../../../server/data/repair/verify'
import { killAt, ONE_THREAD } from '../../support/crash/kill-at'
import { filesWith } from '../../support/data/files-with'
import { createClient } from '../../support/network/client'
import { Browser } from '../../support/system/browser'
import { isFull, named, noRoot } from '../../support/system/rounds'
import { tempDir } from '../../support/system/temp-dir'
import { PASSWORD } from '../../support/world/password'
import { clientAt, fetchAt, register, startHost } from '../../support/world/place'
import { until } from '../../support/world/process'
import { upload } from '../../support/world/upload'

const NAME = 'zebedee'
const WORDS = [NAME, 'Lantern', 'written by zed', 'lantern.zip']
/** Before which durable steps of a removal a host is killed. */
const KILLED_AT = isFull ? Array.from({ length: 40 }, (_, index) => index + 1) : [2, 5]

/** A folder with a deleted account that had a public project with a release of two files. */
async function aDeletedAccount(dir: string): Promise<void> {
  const host = await startHost(dir)
  await register(host, 'owner')
  const zed = await register({ url: host.url }, NAME)
  const client = clientAt(zed)
  const { project_id: id } = (await client.projects.create({ title: 'Lantern', is_public: true }))
    .project
  for (const part of [1, 2]) {
    const file = new File([`part ${part}, written by zed`], 'lantern.zip')
    await upload(fetchAt(zed), file, { project_id: id, version: '1.0', is_public: 'true' })
  }

  const browser = createClient(host.url, { fetch: new Browser(host.url).fetch })
  await browser.accounts.login({ username: NAME, password: PASSWORD })
  await browser.accounts.remove({ current_password: PASSWORD })
  await host.stop()
}

const nameless = async (dir: string) =>
  (await filesWith(dir, WORDS)).every((path) => path.startsWith(join(dir, 'audit')))

test.skipIf(noRoot)(
  named(
    '44: kill -9 at a step of removing an account: it stays whole, or the next start leaves nothing of it',
  ),
  async () => {
    const base = await tempDir()
    await aDeletedAccount(join(base, 'data'))
    expect(await nameless(join(base, 'data'))).toBe(false)
    const found = new Set<string>()

    for (const step of KILLED_AT) {
      const dir = join(base, `killed-${step}`)
      await cp(join(base, 'data'), dir, { recursive: true })
      const host = await startHost(dir, ONE_THREAD)
      await killAt(step, host)
      const isErased = await askHost(dir, 'people.erase', { name: NAME }).then(
        () => true,
        () => false,
      )
      // There were fewer steps.
      if (isErased) break
      await host.ended

      const [account] = (await readLibrary(dir)).data.collections.deletedAccounts.values()
      const isWhole = account !== undefined && 'user' in account && account.user !== null
      found.add(account === undefined ? 'gone' : isWhole ? 'whole' : 'half')
      const next = await startHost(dir)
      if (isWhole) {
        expect((await verify(dir, { readData: true })).problems).toEqual([])
        const { person } = await askHost(dir, 'people.restore', { name: NAME })
        expect(person).toMatchObject({ username: NAME, files: 2 })
      } else {
        const isOver = async () => (await askHost(dir, 'people.list', {})).people.length === 1
        expect(await isOver()).toBe(true)
        await until(() => nameless(dir))
        await next.stop()
        expect(await nameless(dir)).toBe(true)
        expect((await verify(dir, { readData: true })).problems).toEqual([])
      }
      await next.kill()
    }

    expect(found).toContain('half')
  },
)
