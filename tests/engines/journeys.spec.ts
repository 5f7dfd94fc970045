import { aMailServer, linkIn } from '../support/mail/mail-server'
import { PASSWORD } from '../support/world/password'
import { aFile, VISITOR } from '../support/world/page'
import { expect, test } from './support/engine-test'
import type { Person } from './support/person'

const NEW_PASSWORD = 'Battery-Staple-9'

// By keyboard alone, on the width of a phone. Keys that a driver sends press no button in Firefox.
test.use({ engine: 'Chromium', person: VISITOR })

/** Goes to a field by Tab, and types into it. */
async function typeInto(somebody: Person, label: string | RegExp, text: string): Promise<void> {
  await somebody.pressTo('field', label)
  await somebody.tab.type(text)
}

async function enter(somebody: Person, role: 'button' | 'link', name: string | RegExp) {
  await somebody.pressTo(role, name)
  await somebody.press('Enter')
}

async function logIn(somebody: Person, password = PASSWORD): Promise<void> {
  await somebody.goTo('/login')
  await typeInto(somebody, 'Username', 'alice')
  await typeInto(somebody, 'Password', password)
  await somebody.press('Enter')
  await somebody.sees('heading', 'Welcome, alice')
}

test.beforeEach(({ somebody }) => somebody.tab.resize(360, 740))

test('a private file is shared for a week', async ({ somebody, alice }) => {
  const { file_id: id } = await aFile(alice, 'lantern.apk')
  await logIn(somebody)
  await somebody.goTo('/my-files')
  await enter(somebody, 'button', 'Actions for lantern.apk')
  await somebody.pressTo('menuitem', 'Share link…', 'ArrowDown')
  await somebody.press('Enter')

  const dialog = somebody.within('dialog')
  await enter(dialog, 'button', 'Create link')
  await dialog.reads('Ends in 7 days')
  await dialog.sees('button', 'Copy link', { hasFocus: true })
  const { share_links: links } = await alice.shareLinks.list({ id })
  expect(links).toHaveLength(1)
  await somebody.press('Escape')
  await somebody.seesNo('dialog')
  await somebody.sees('button', 'Actions for lantern.apk', { hasFocus: true })

  await somebody.goTo(new URL(links[0]?.url ?? '').pathname)
  await enter(somebody, 'link', /^Download/)
  await somebody.hasFile('lantern.apk', Buffer.from('the bytes of lantern.apk'))
})

test('a forgotten password is replaced', async ({ somebody, host }) => {
  const mail = await aMailServer()
  await host.inside.settings.update(mail.settings)
  await somebody.goTo('/login')
  await enter(somebody, 'link', 'Forgot your password?')
  await typeInto(somebody, 'Username', 'alice')
  await enter(somebody, 'button', 'Send me a link')
  await somebody.reads('If there is such an account')
  await expect.poll(() => mail.got.length).toBe(1)

  await somebody.goTo(linkIn(mail.got[0]!, '/new-password'))
  await somebody.reads("For alice's account")
  await typeInto(somebody, 'New password', NEW_PASSWORD)
  await typeInto(somebody, /^(Confirm|Repeat)/, NEW_PASSWORD)
  await somebody.press('Enter')
  await somebody.reads('Password changed. Please log in.')
  await logIn(somebody, NEW_PASSWORD)
})

test('everything is exported, then the account is deleted', async ({ somebody, host, alice }) => {
  await alice.projects.create({ title: 'Rocket' })
  await logIn(somebody)
  await somebody.goTo('/account')
  await enter(somebody, 'link', 'Export everything')
  await somebody.savedFile('.zip')

  await enter(somebody, 'button', 'Delete account…')
  const dialog = somebody.within('dialog')
  await dialog.sees('heading', 'Delete account')
  await typeInto(dialog, 'Current password', PASSWORD)
  await somebody.press('Enter')
  await somebody.isAt('/login')
  await somebody.reads('Your account is deleted. Until')
  expect(host.inside.users.byName('alice')).toBeUndefined()
})
