import { expect, type ElectronApplication } from 'playwright/test'
import { test } from '../../support/desktop/desktop-test'
import { signedIn } from '../../support/world/people'
import { changeSettings, signInAtWindow } from '../../support/desktop/app/settings'

test.use({ people: ['alice', 'bob', 'carol'] })

interface Watched {
  notices: Electron.Notification[]
}

/** Notes the notifications of the system from now on, and hides the window. */
function watch(app: ElectronApplication): Promise<void> {
  return app.evaluate(({ BrowserWindow, Notification }) => {
    const watched: Watched = { notices: [] }
    Object.assign(globalThis, { watched })
    Notification.isSupported = () => true
    Notification.prototype.show = function (this: Electron.Notification) {
      watched.notices.push(this)
    }
    BrowserWindow.getAllWindows()[0]!.hide()
  })
}

const titles = (app: ElectronApplication) =>
  app.evaluate(() =>
    (globalThis as unknown as { watched: Watched }).watched.notices.map(({ title }) => title),
  )

/** Of the newest. */
const click = (app: ElectronApplication) =>
  app.evaluate(
    () =>
      void (globalThis as unknown as { watched: Watched }).watched.notices.at(-1)!.emit('click'),
  )

test('notifies the person at the window when others change their projects; a click opens the change', async ({
  app,
  page,
  origin,
}) => {
  await watch(app)
  const [alice, bob] = [await signedIn(origin, 'alice'), await signedIn(origin, 'bob')]
  const share = async (title: string) => {
    const { project } = await bob.client.projects.create({ title })
    await bob.client.collaborators.add({ id: project.project_id, username: 'alice' })
    return project.project_id
  }
  await share('While nobody is signed in')
  await signInAtWindow(page)
  await page.goto(`${origin}/dashboard`)
  const { project: own } = await alice.client.projects.create({ title: 'Her own' })
  await alice.client.collaborators.add({ id: own.project_id, username: 'bob' })
  expect(await changeSettings(page, { notify_collaborators: false })).toBe(200)
  await share('Not wanted')
  expect(await changeSettings(page, { notify_collaborators: true })).toBe(200)

  const id = await share('Moorings')
  await expect.poll(() => titles(app)).toEqual(['bob added you to Moorings'])
  await click(app)
  await expect(page.getByRole('heading', { level: 1, name: 'Moorings' })).toBeVisible()

  await page.goto(`${origin}/dashboard`)
  await watch(app)
  expect(await changeSettings(page, { notify_collaborators: false })).toBe(200)
  await bob.client.collaborators.add({ id, username: 'carol' })
  expect(await changeSettings(page, { notify_collaborators: true })).toBe(200)
  await bob.client.collaborators.remove({ id, collaboratorId: 'carol' })
  await bob.client.collaborators.remove({ id, collaboratorId: 'alice' })
  await expect.poll(() => titles(app)).toEqual(['bob removed you from Moorings'])
  await click(app)
  await expect(page).toHaveURL(`${origin}/projects`)
})
