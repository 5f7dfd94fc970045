import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { PASSWORD } from '../support/world/password'
import { aFile, clientOf, VISITOR } from '../support/world/page'
import { engines, expect, test } from './support/engine-test'

const bytes = randomBytes(40_000)

for (const engine of engines) {
  test.describe(`in ${engine}`, () => {
    test.use({ engine, person: VISITOR })

    test('a file goes out by a link, and another comes in by one', async ({
      somebody,
      alice,
    }, info) => {
      const { file_id: id } = await aFile(alice, 'lantern.apk', { bytes })
      await somebody.logIn('alice')
      await somebody.goTo('/my-files')
      await somebody.click('button', 'Actions for lantern.apk')
      await somebody.click('menuitem', 'Share link…')
      await somebody.within('dialog').click('button', 'Create link')
      await somebody.within('dialog').reads('Ends in 7 days')

      const [shared] = (await alice.shareLinks.list({ id })).share_links
      await somebody.goTo(new URL(shared?.url ?? '').pathname)
      await somebody.sees('heading', 'alice shares a file with you')
      await somebody.click('link', 'Download')
      await somebody.hasFile('lantern.apk', bytes)

      await somebody.goTo('/my-files')
      await somebody.click('button', 'Request files')
      await somebody.within('dialog').fill('What you ask for', 'Save games')
      await somebody.within('dialog').click('button', 'Create link')
      await somebody.within('dialog').reads('Ends in 7 days')

      const [asked] = (await alice.fileRequests.list({})).file_requests
      const save = info.outputPath('level-3.sav')
      await writeFile(save, bytes)
      await somebody.goTo(new URL(asked?.url ?? '').pathname)
      await somebody.fill('Your name', 'Robin')
      await somebody.sees('field', 'Files')
      await somebody.tab.choose('[type=file]', [save])
      await somebody.click('button', 'Send')
      await somebody.reads('1 file arrived.')

      await somebody.goTo('/my-files?visibility=received')
      await somebody.reads('From Robin, for Save games')
    })

    test('everything is exported in two clicks, and imported beside what is there', async ({
      somebody,
      alice,
    }) => {
      await alice.projects.create({ title: 'Rocket' })
      await somebody.logIn('alice')
      await somebody.goTo('/account')
      await somebody.click('link', 'Export everything')

      const zip = await somebody.savedFile('.zip')
      await somebody.tab.choose('[type=file][accept*=".zip"]', [zip])
      await somebody.reads('You already have a project at /p/rocket')
      await somebody.click('button', 'Import as copies')
      await somebody.reads('its address is /p/rocket-2 now')
    })

    test('an account is deleted with its projects, and its page says until when', async ({
      somebody,
      alice,
      host,
    }) => {
      await alice.projects.create({ title: 'Rocket', is_public: true })
      await somebody.logIn('alice')
      await somebody.goTo('/account')
      await somebody.click('button', 'Delete account…')
      const dialog = somebody.within('dialog')
      await dialog.reads('This project has no collaborators, so it will be deleted.')
      await dialog.fill('Current password', PASSWORD)
      await somebody.press('Enter')

      await somebody.reads('Your account is deleted. Until')
      expect(host.inside.users.byName('alice')).toBeUndefined()
      await somebody.goTo('/p/rocket')
      await somebody.sees('heading', 'Project Not Found')
    })

    test('a forgotten password is set by the link of the host account', async ({
      somebody,
      host,
    }) => {
      const id = host.inside.users.byName('alice')?.id ?? ''
      const manager = await clientOf(host, 'host')
      await manager.manage.begin({ link: host.inside.manageLinks.make() })
      const { url } = await manager.people.createPasswordLink({ id })
      await somebody.goTo(new URL(url).pathname + new URL(url).search)
      await somebody.reads("For alice's account")
      await somebody.fill('New password', 'remembered well')
      await somebody.fill('Repeat the new password', 'remembered well')
      await somebody.press('Enter')
      await somebody.reads('Password changed. Please log in.')

      await somebody.fill('Password', 'remembered well')
      await somebody.press('Enter')
      await somebody.sees('heading', 'Welcome, alice')
    })
  })
}
