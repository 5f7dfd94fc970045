import { aMailServer, linkIn } from '../../support/mail/mail-server'
import { aBuild, answer, aPublicProject, expect, test, visitorTest } from '../../support/world/page'

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
  await page.getByRole('button', { name: 'Email me' }).click()
  await expect(page.getByText('An email is on its way')).toBeVisible()
  await expect.poll(() => mail.got.length).toBe(1)

  await page.goto(linkIn(mail.got[0]!, '/n/'))
  await page.getByRole('button', { name: 'Yes, email me' }).click()
  await expect(page.getByRole('heading', { name: 'You get emails' })).toBeVisible()
  await aBuild(alice, project, 'lantern-1.5.0.apk', { version: '1.5.0' })
  await expect.poll(() => mail.got.at(-1)?.headers.get('subject')).toContain('1.5.0 is available')

  await page.goto(/Stop them: https?:\/\/[^/]+(\S+)/.exec(mail.got.at(-1)!.text)?.[1] ?? '')
  await page.getByRole('button', { name: 'Stop these emails' }).click()
  await expect(page.getByRole('heading', { name: 'These messages have stopped' })).toBeVisible()
})

test('an owner notifies the testers below a version, and reads who gets no mail', async ({
  alice,
  host,
  page,
}) => {
  const mail = await aMailServer()
  await host.inside.settings.update(mail.settings)
  const project = await aPublicProject(alice)
  const id = project.project_id
  await aBuild(alice, project, 'lantern-1.4.1.apk', { version: '1.4.1' })
  for (const [name, email] of [['Berlin', 'kim@example.org'] as const, ['Rome', ''] as const]) {
    const { url } = await alice.testers.create({ id, name })
    const door = host.url + new URL(url).pathname
    await page.request.get(`${door}/releases/1.4.1/lantern-1.4.1.apk`)
    if (email === '') continue
    await page.request.post(`${door}/subscribers`, { form: { email } })
    await expect.poll(() => mail.got.length).toBe(1)
    await page.request.post(`${host.url}${linkIn(mail.got[0]!, '/n/')}/confirm`)
  }
  await aBuild(alice, project, 'lantern-1.5.0.apk', { version: '1.5.0' })
  await expect.poll(() => mail.got.length).toBe(2)

  await page.goto(`/projects/${id}/people`)
  await page.getByLabel('Version').selectOption({ label: 'Below 1.5.0 (2)' })
  const reasons = page.getByRole('listitem')
  await expect(reasons.filter({ hasText: 'Berlin: notified in the last 24 hours' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Notify', exact: true })).toBeDisabled()
  await host.inside.library.transact((tx) => {
    const subscribers = host.inside.library.collection('subscribers')
    for (const it of subscribers.values())
      tx.put(subscribers, it.id, { ...it, told: [], releaseSentAt: undefined })
  })
  await page.reload()
  await page.getByLabel('Version').selectOption({ label: 'Below 1.5.0 (2)' })
  await expect(reasons.filter({ hasText: 'Rome: no confirmed email address' })).toBeVisible()
  await page.getByRole('button', { name: 'Send 1 email' }).click()
  await answer(page, '1 email will say that 1.5.0 is available', 'Send 1 email')
  await expect(page.getByText('1 email queued')).toBeVisible()
  await expect.poll(() => mail.got.at(-1)?.text).toContain('You have an older version')
  await expect(page.getByRole('button', { name: 'Notify', exact: true })).toBeDisabled()
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
  await expect(page.getByText("For alice's account")).toBeVisible()
})
