import { userAgents } from '../../support/install/user-agents'
import { objectionsAtEverySize, phone } from '../support/axe'
import { aUser } from '../../support/world/factories'
import { aFile, answer, aProject, expect, pageOf, test } from '../../support/world/page'
import { readQrCode } from '../support/read-qr-code'

const NAME = 'Beta group, Berlin'

test('a link is made, copied once, opened by a tester, changed and revoked', async ({
  page,
  alice,
  host,
  browser,
}) => {
  const { project_id } = await aProject(alice, 'Lantern')
  const { file_id } = await aFile(alice, 'lantern.apk')
  await alice.projects.link({ id: project_id, file_id, version: '1.0-beta' })
  await page.goto(`/projects/${project_id}/people`)
  await expect(page.getByText('No tester links yet')).toBeVisible()
  await page.getByRole('button', { name: 'Create tester link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create tester link' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Give the link a name')).toBeVisible()
  await dialog.getByLabel('Name').fill(NAME)
  await dialog.getByLabel('Last day').fill('')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Choose a last day')).toBeVisible()
  const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
  await dialog.getByLabel('Last day').fill(day)
  await dialog.getByRole('textbox', { name: 'Password' }).fill('open sesame')
  await dialog.getByRole('button', { name: 'Create tester link' }).click()

  const made = page.getByRole('dialog', { name: 'Your new tester link' })
  const link = await made.getByRole('status', { name: 'Tester link' }).innerText()
  expect(link).toMatch(/\/t\/[\w-]{22}$/)
  await made.getByRole('button', { name: 'Show QR code' }).click()
  const code = await page.getByRole('img', { name: /^QR code of/ }).screenshot()
  expect(await readQrCode(page, code)).toBe(link)
  await page.keyboard.press('Escape')
  await made.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('row', { name: NAME })
  await expect(row.getByRole('img', { name: 'With a password' })).toBeVisible()

  const userAgent = userAgents['Chrome on Android']
  const tester = await browser.newPage({ javaScriptEnabled: false, userAgent })
  const path = new URL(link).pathname
  await tester.goto(host.url + path)
  await tester.getByLabel('Password').fill('wrong')
  await tester.getByRole('button', { name: 'Open' }).click()
  await expect(tester.getByText('That password is wrong.')).toBeVisible()
  await tester.getByLabel('Password').fill('open sesame')
  await tester.keyboard.press('Enter')
  await expect(tester.getByRole('heading', { name: 'Lantern' })).toBeVisible()
  await expect(tester.getByText(`For testers: ${NAME} · until`)).toBeVisible()
  const downloading = tester.waitForEvent('download')
  await tester.getByRole('link', { name: 'Download for Android' }).click()
  expect((await downloading).suggestedFilename()).toBe('lantern.apk')

  const { testers } = alice
  await expect
    .poll(async () => (await testers.list({ id: project_id })).testers[0])
    .toMatchObject({ downloads: 1, versions: [{ version: '1.0-beta' }] })
  await page.reload()
  await expect(row).toContainText('1.0-beta Android')
  await tester.reload()
  await tester.getByRole('button', { name: 'Remove' }).click()
  await expect(tester.getByText('Nothing is recorded yet.')).toBeVisible()
  await expect(row.getByRole('cell', { name: '1', exact: true })).toHaveCount(2)
  await row.getByRole('button', { name: `Change ${NAME}` }).click()
  const change = page.getByRole('dialog', { name: 'Change tester link' })
  await change.getByLabel('Name').fill('Berlin')
  await change.getByLabel('Remove the password').check()
  await change.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Tester link changed')).toBeVisible()
  await expect(page.getByRole('img', { name: 'With a password' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Revoke Berlin' }).click()
  await answer(page, 'The link stops working at once, and downloads through it end.', 'Revoke')
  await expect(page.getByText('No tester links yet')).toBeVisible()
  await tester.reload()
  await expect(
    tester.getByRole('heading', { name: 'This link has ended or never existed' }),
  ).toBeVisible()
  await expect(tester.getByText('Ask the person who sent it for a new one.')).toBeVisible()
  await tester.context().close()
})

test('collaborators manage links; failures say why', async ({ alice, host, browser }) => {
  await aUser(host, 'bob')
  const { project_id } = await aProject(alice, 'Lantern')
  await alice.collaborators.add({ id: project_id, username: 'bob' })
  const page = await pageOf(browser, host, 'bob')
  await page.goto(`/projects/${project_id}/people`)
  await page.getByRole('button', { name: 'Create tester link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create tester link' })
  await dialog.getByLabel('Name').fill(NAME)
  await dialog.getByLabel('Channel').fill('No Channel!')
  await dialog.getByRole('button', { name: 'Create tester link' }).click()
  await expect(dialog.getByText('Use lower-case letters, digits and single hyphens')).toBeVisible()
  await dialog.getByLabel('Channel').fill('nightly')
  await alice.collaborators.remove({ id: project_id, collaboratorId: 'bob' })
  await dialog.getByRole('button', { name: 'Create tester link' }).click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'Project not found' })).toBeVisible()
  await page.context().close()
})

test('pages of tester links are in order at every size, with long names', async ({
  page,
  alice,
  host,
  complaints,
}) => {
  const { project_id } = await aProject(alice, 'Lantern')
  const { file_id } = await aFile(alice, 'lantern.apk')
  await alice.projects.link({ id: project_id, file_id, version: '1.0-beta' })
  const isInOrder = async () => {
    expect(await objectionsAtEverySize(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      phone.width,
    )
  }
  await page.goto(`/projects/${project_id}/people`)
  await expect(page.getByText('No tester links yet')).toBeVisible()
  const { url } = await alice.testers.create({
    id: project_id,
    name: NAME,
    password: 'open sesame',
  })
  const long = 'A very long name of a group that tests builds on many phones'
  const open = await alice.testers.create({ id: project_id, name: long, channel: 'nightly' })
  await page.reload()
  await expect(page.getByText(NAME)).toBeVisible()
  await isInOrder()
  await page.getByRole('button', { name: 'Create tester link' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await isInOrder()
  for (const path of [new URL(url).pathname, new URL(open.url).pathname]) {
    await page.goto(host.url + path).catch(() => undefined)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await isInOrder()
  }
  // The page that asks for the password is 403.
  complaints.length = 0
})
