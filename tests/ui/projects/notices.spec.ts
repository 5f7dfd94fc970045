import { aMailServer, linkIn } from '../../support/mail/mail-server'
import { aBuild, aPublicProject, expect, test, visitorTest } from '../../support/world/page'

test('a tester asks for mails, confirms the address, and ends them', async ({
  alice,
  host,
  page,
}) => {
  const mail = await aMailServer()
  await host.inside.settings.update(mail.settings)
  const project = await aPublicProject(alice)
  await aBuild(alice, project, 'lantern-1.4.1.apk', { version: '1.4.1' })
  const { url } = await alice.testers.create({ id: project.project_id, name: 'Berlin' })

  await page.goto(new URL(url).pathname)
  await page.getByText('Get notified of new releases').click()
  await page.getByLabel('Your email address').fill('kim@example.org')
  await page.getByRole('button', { name: 'Send me mails' }).click()
  await expect(page.getByText('A mail is on its way')).toBeVisible()
  await expect.poll(() => mail.got.length).toBe(1)

  await page.goto(linkIn(mail.got[0]!, '/n/'))
  await page.getByRole('button', { name: 'Yes, send me mails' }).click()
  await expect(page.getByRole('heading', { name: 'You get mails' })).toBeVisible()
  await aBuild(alice, project, 'lantern-1.5.0.apk', { version: '1.5.0' })
  await expect.poll(() => mail.got.at(-1)?.headers.get('subject')).toContain('1.5.0 is available')

  await page.goto(/Stop them: https?:\/\/[^/]+(\S+)/.exec(mail.got.at(-1)!.text)?.[1] ?? '')
  await page.getByRole('button', { name: 'Stop these mails' }).click()
  await expect(page.getByRole('heading', { name: 'These mails have ended' })).toBeVisible()
})

visitorTest('a person who forgot the password gets a link by mail', async ({ host, page }) => {
  const mail = await aMailServer()
  await host.inside.settings.update(mail.settings)
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByRole('textbox', { name: 'Username' }).fill('alice')
  await page.getByRole('button', { name: 'Send me a link' }).click()
  await expect(page.getByText('If there is such an account')).toBeVisible()
  await expect.poll(() => mail.got.length).toBe(1)
  await page.goto(linkIn(mail.got[0]!, '/new-password'))
  await expect(page.getByText('For the account alice')).toBeVisible()
})
