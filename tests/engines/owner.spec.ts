import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { aFile, VISITOR } from '../support/world/page'
import { PASSWORD } from '../support/world/password'
import { engines, expect, test } from './support/engine-test'

/** Sent in several requests: what is above 8 MB. */
const SIZE = 20_000_000

for (const engine of engines) {
  test.describe(`in ${engine}`, () => {
    test.use({ engine, person: VISITOR })

    test('somebody new registers, publishes a large file, and its link brings it', async ({
      somebody,
      line,
    }, info) => {
      const bytes = randomBytes(SIZE)
      const path = info.outputPath('lantern-2.0.0.zip')
      await writeFile(path, bytes)
      await somebody.goTo('/login')
      await somebody.click('link', 'Register')
      await somebody.fill('Username', 'maya')
      await somebody.fill('Email', 'maya@example.com')
      await somebody.fill('Password', PASSWORD)
      await somebody.fill('Confirm password', PASSWORD)
      await somebody.click('button', 'Register')
      await somebody.sees('field', 'Password', { hasFocus: true })
      await somebody.sees('field', 'Username', { value: 'maya' })
      await somebody.fill('Password', PASSWORD)
      await somebody.press('Enter')
      await somebody.sees('heading', 'Welcome, maya')

      await somebody.choose(path)
      const sheet = somebody.within('dialog')
      await sheet.sees('field', 'Title', { value: 'Lantern' })
      await sheet.fill('Title', 'Night lamp')
      await sheet.reads('Version 2.0.0')
      await sheet.sees('radio', 'Anyone with the link', { isChecked: true })
      await sheet.click('button', 'Publish')
      await somebody.sees('heading', 'Night lamp 2.0.0 is published')
      await sheet.click('button', 'Copy link')
      await sheet.click('button', 'Done')
      await somebody.seesNo('dialog')

      await somebody.press('Control+k')
      await somebody.sees('combobox', /^Search/, { hasFocus: true })
      await somebody.press('Control+v')
      await somebody.sees('combobox', /^Search/, { value: `${line.url}/p/night-lamp` })
      await somebody.goTo('/p/night-lamp')
      await somebody.click('link', /^Download/)
      await somebody.hasFile('lantern-2.0.0.zip', bytes)
    })

    test('the host account saves settings, and finds its way by keyboard', async ({
      somebody,
      host,
    }) => {
      await somebody.logIn('host')
      await somebody.goTo(`/manage?link=${host.inside.manageLinks.make()}`)
      await somebody.click('button', 'Manage this host')
      await somebody.isAt(/^\/host$/)
      await somebody.goTo('/host/settings')
      await somebody.fill('Name', 'Quay')
      await somebody.sees('status', '1 change: Name')
      await somebody.click('button', 'Discard')
      await somebody.sees('field', 'Name', { value: '' })
      await somebody.fill('Name', 'Harbour')
      await somebody.click('button', 'Save changes')
      await somebody.reads('Settings saved')
      expect(host.inside.settings.get().host_name).toBe('Harbour')

      await somebody.press('?')
      await somebody.sees('dialog', 'Keyboard shortcuts')
      await somebody.press('Escape')
      await somebody.seesNo('dialog')
      await somebody.press('g', 'f')
      await somebody.isAt('/my-files')
    })

    test('files are selected, deleted and brought back; the palette finds one', async ({
      somebody,
      alice,
    }) => {
      for (const name of ['lantern.apk', 'notes.txt', 'rocket.apk']) await aFile(alice, name)
      await somebody.logIn('alice')
      await somebody.goTo('/my-files')
      await somebody.click('checkbox', 'Select lantern.apk')
      await somebody.click('checkbox', 'Select rocket.apk')
      const bar = somebody.within('group', 'Selected files')
      await bar.reads('2 files')
      await bar.click('button', 'Delete')
      await somebody.within('dialog').click('button', 'Delete')
      await somebody.reads('2 files deleted')
      await somebody.seesNo('checkbox', 'Select lantern.apk')
      await somebody.click('button', 'Undo')
      await somebody.sees('checkbox', 'Select lantern.apk')
      expect((await alice.files.mine({})).total).toBe(3)

      await somebody.press('Control+k')
      await somebody.sees('combobox', /^Search/, { hasFocus: true })
      await somebody.tab.type('rocket')
      await somebody.sees('option', /^rocket\.apk/)
      await somebody.press('Enter')
      await somebody.isAt(/^\/my-files\?.*rocket/)
    })
  })
}
