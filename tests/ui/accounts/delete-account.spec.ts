import { PASSWORD } from '../../support/world/password'
import { aFullQuota, aProject, aUser } from '../../support/world/factories'
import { expect, test } from '../../support/world/page'

test('a person gives a project away and deletes their account, by keyboard on a phone', async ({
  page,
  host,
  alice,
  complaints,
}) => {
  const owner = host.user('alice')
  const maya = await aUser(host, 'maya')
  const rocket = await aProject(host, owner)
  await aProject(host, owner, { title: 'Kite', is_public: true })
  await alice.collaborators.add({ id: rocket.slug, username: 'maya', role: 'maintainer' })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/account')

  await page.getByRole('button', { name: 'Delete account…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete account' })
  await expect(dialog).toContainText('This project has no collaborators, so it will be deleted.')
  await dialog.getByLabel('What to do with Rocket').selectOption('Give it to maya (maintainer)')
  await dialog.getByLabel('What to do with Rocket').press('Tab')
  await expect(dialog.getByLabel('Current password')).toBeFocused()
  await page.keyboard.type('not mine')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('That is not your current password')).toBeVisible()
  complaints.length = 0
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(PASSWORD)
  await aFullQuota(host, maya, 0)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('maya does not have enough storage')
  await expect(dialog.getByRole('alert')).toBeInViewport()
  complaints.length = 0
  await host.as(maya).files.remove({ id: host.inside.files.ownedBy(maya.id)[0]!.id })
  await dialog.getByLabel('Current password').press('ControlOrMeta+a')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')

  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Your account is deleted. Until')).toBeVisible()
  expect(host.inside.users.byName('alice')).toBeUndefined()
  expect(host.inside.projects.find('rocket')?.ownerId).toBe(maya.id)
  expect(host.inside.projects.find('kite')).toBeUndefined()
  complaints.length = 0
})
