import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { MB } from '../../server/contract'
import { aFile, VISITOR } from '../support/world/page'
import { engines, expect, test as base } from './support/engine-test'
import { sha256 } from '../support/system/sha256'

/** A large file is sent in requests of a megabyte. */
const test = base.extend({
  config: async ({ line }, use) =>
    use({ publicUrl: line.url, resumableUploads: { above: MB, chunk: MB } }),
})

for (const engine of engines) {
  test.describe(`in ${engine}`, () => {
    test.use({ engine, person: VISITOR })

    test('while the host is away a bar says so; then uploads go on', async ({
      somebody,
      alice,
      host,
      line,
    }, info) => {
      const bytes = randomBytes(6 * MB)
      const path = info.outputPath('lantern.zip')
      await writeFile(path, bytes)
      await somebody.logIn('alice')
      await somebody.goTo('/my-files')
      line.toHost.holdAfter(2.5 * MB)
      await somebody.choose(path)
      await somebody.click('button', 'Upload')
      await expect.poll(() => line.toHost.isHolding).toBe(true)
      const [begun] = (await alice.uploads.list({})).uploads
      const { port } = host
      line.block()
      await host.close()
      const bar = 'The host does not answer. Trying again …'
      await somebody.sees('status', new RegExp(`^${bar}`))
      await somebody.reads('My Files')

      const again = await host.restart({ port })
      const { offset = 0 } = (await alice.uploads.list({})).uploads[0] ?? {}
      expect(offset).toBeGreaterThanOrEqual(begun?.offset ?? Infinity)
      line.toHost.open()
      line.leadTo(again.url)
      await somebody.reads('File uploaded successfully!')
      await somebody.seesNo('status', new RegExp(`^${bar}`))
      const { files } = await alice.files.mine({})
      expect(files.map((file) => file.sha256)).toEqual([sha256(bytes)])
      await somebody.goTo('about:blank')
    })

    test('a page that does not load while the host is away loads later, and a message stays', async ({
      somebody,
      alice,
      host,
      line,
    }) => {
      const { file_id } = await aFile(alice, 'lantern.apk')
      await somebody.logIn('alice')
      await somebody.goTo('/my-files')
      const isReady = () =>
        somebody.tab.run("document.querySelector('.mantine-Notifications-root') !== null")
      await expect.poll(isReady).toBe(true)
      line.block()
      await somebody.within('row', /lantern/).click('switch')
      await somebody.sees('alert', /^Visibility did not change: the host does not answer/)
      await somebody.click('link', 'Trash')
      await somebody.sees('heading', 'Not loaded yet')

      line.leadTo(host.url)
      await somebody.sees('heading', 'Trash')
      await somebody.click('button', 'Retry')
      await expect
        .poll(async () => (await alice.files.info({ id: file_id })).file.is_public)
        .toBe(true)
      await somebody.goTo('about:blank')
    })
  })
}
