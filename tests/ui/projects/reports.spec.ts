import { aPicture } from '../../support/pictures'
import { aBuild, aPublicProject, expect, test } from '../../support/world/page'

test('a tester reports, the owner answers and marks it fixed, and the tester sees both', async ({
  page,
  alice,
  context,
}) => {
  const project = await aPublicProject(alice)
  await aBuild(alice, project, 'lantern-1.4.1.apk', { version: '1.4.1' })
  const { url } = await alice.testers.create({ id: project.project_id, name: 'Berlin' })

  const reporter = await context.newPage()
  await reporter.goto(`${new URL(url).pathname}/report`)
  await reporter.getByLabel('What happened?').fill('It crashes at level 3.')
  await reporter.getByLabel(/Screenshots and logs/).setInputFiles([
    { name: 'level-3.png', mimeType: 'image/png', buffer: aPicture({ width: 40 }) },
    { name: 'photo.heic', mimeType: 'image/heic', buffer: Buffer.from('\0\0\0\x18ftypheic') },
  ])
  // The list of files is made by the script of the page.
  await expect(reporter.getByRole('button', { name: 'Remove photo.heic' })).toBeVisible()
  await reporter.getByRole('button', { name: 'Send' }).click()
  await expect(reporter.getByText('Your report has arrived, with 1 of 2 files.')).toBeVisible()
  await reporter.getByRole('link', { name: 'Open its page' }).click()
  await expect(reporter.getByText('The answers will be on this page.')).toBeVisible()

  await page.goto(`/projects/${project.project_id}/reports`)
  await expect(page.getByRole('row', { name: /It crashes at level 3/ })).toContainText('1 file')
  await page.getByRole('link', { name: 'It crashes at level 3.' }).click()
  await expect(page.getByRole('img', { name: 'Screenshot level-3.webp' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Answer' }).fill('Thank you!')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await expect(page.getByRole('paragraph').filter({ hasText: 'Thank you!' })).toBeVisible()
  await page.getByRole('combobox', { name: 'State' }).selectOption('Fixed')
  const version = page.getByRole('combobox', { name: 'Fixed in version' })
  await version.fill('1.4.1')
  await version.press('Tab')
  await expect(page.getByText('Fixed in 1.4.1', { exact: true })).toBeVisible()

  await reporter.reload()
  await expect(reporter.getByText('Thank you!')).toBeVisible()
  await expect(reporter.getByRole('link', { name: '1.4.1' })).toBeVisible()
})

test('an app gets a key, its crashes are one entry, and the dashboard and the release count them', async ({
  page,
  alice,
  host,
}) => {
  const project = await aPublicProject(alice)
  await aBuild(alice, project, 'lantern-1.4.1.apk', { version: '1.4.1' })
  await page.goto(`/projects/${project.project_id}/reports`)
  await page.getByRole('button', { name: 'From your app…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const key = await dialog.getByLabel('API key').textContent()
  await expect(dialog.getByRole('region', { name: 'A report with curl' })).toContainText(key ?? '')
  await dialog.getByRole('button', { name: 'Done' }).click()

  for (const version of ['1.4.0', '1.4.1']) {
    const body = { text: 'It crashed', kind: 'crash', version, signature: 'NPE in Level.load' }
    const reply = await fetch(`${host.url}/api/projects/${project.slug}/reports`, {
      method: 'POST',
      headers: { 'x-api-key': key ?? '', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(reply.status).toBe(201)
  }

  await page.reload()
  const row = page.getByRole('row', { name: /It crashed/ })
  await expect(row).toContainText('2 times')
  await expect(row).toContainText('1.4.0 – 1.4.1')
  await row.getByRole('link').click()
  await page.getByRole('link', { name: 'Show all' }).click()
  await expect(page.getByRole('row', { name: /It crashed/ })).toHaveCount(2)
  await page.getByRole('button', { name: /^Show all groups/ }).click()
  await expect(page.getByRole('row', { name: /It crashed/ })).toHaveCount(1)

  await page.goto(`/projects/${project.project_id}/releases`)
  await page.getByRole('link', { name: '1 report', exact: true }).click()
  await expect(page).toHaveURL(/\/reports\?version=1\.4\.1$/)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: '2 open reports in Lantern' }).click()
  await page.getByRole('button', { name: 'Settings' }).click()
  await dialog.getByLabel(/^Delete files of fixed and closed reports/).fill('0')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Enter 1 to 3650 days')).toBeVisible()
  await dialog.getByLabel(/^Delete files of fixed and closed reports/).fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  const { settings } = await alice.reports.list({ id: project.project_id })
  expect(settings.file_days).toBeNull()
})

test('text that is changed after a partial send is sent again, also when the link has ended', async ({
  alice,
  context,
}) => {
  const project = await aPublicProject(alice)
  const id = project.project_id
  const { url, tester } = await alice.testers.create({ id, name: 'Berlin' })
  // It logs what was refused.
  const page = await context.newPage()
  await page.goto(`${new URL(url).pathname}/report`)
  await page.getByLabel('What happened?').fill('It crashes.')
  const heic = {
    name: 'photo.heic',
    mimeType: 'image/heic',
    buffer: Buffer.from('\0\0\0\x18ftypheic'),
  }
  await page.getByLabel(/Screenshots and logs/).setInputFiles([heic])
  await expect(page.getByRole('button', { name: 'Remove photo.heic' })).toBeVisible()
  await alice.testers.revoke({ id, testerId: tester.tester_id })
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Your report has arrived, without files.')).toBeVisible()

  await page.getByLabel('What happened?').fill('It crashes at level 3.')
  await page.getByRole('button', { name: 'Remove photo.heic' }).click()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/\/r\//)
  await expect(page.getByText('It crashes at level 3.')).toBeVisible()
})
