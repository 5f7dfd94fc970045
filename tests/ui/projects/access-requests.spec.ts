import { aBuild, aPublicProject, expect, test } from '../../support/world/page'

test('strangers ask without scripts, the owner answers many at once, and pages become tester pages', async ({
  page,
  alice,
  host,
  browser,
}) => {
  const project = await aPublicProject(alice)
  await aBuild(alice, project, 'lantern-2.0-beta.apk', { version: '2.0-beta' })
  await page.goto(`/projects/${project.project_id}/people`)
  await page.getByRole('button', { name: 'Open the form' }).click()
  const settings = page.getByRole('dialog', { name: 'Requests for access' })
  await settings.getByRole('switch', { name: 'Visitors can ask for access' }).check()
  await settings.getByLabel('Note on the form').fill('Old phones, please.')
  await settings.getByLabel('Most testers').fill('0')
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(settings.getByText('At least 1 tester')).toBeVisible()
  await settings.getByLabel('Most testers').fill('2')
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('0 of 2 places taken.')).toBeVisible()

  const stranger = await browser.newPage({ javaScriptEnabled: false })
  for (const name of ['Kim', 'Lou', 'Mo']) {
    await stranger.goto(`${host.url}/p/${project.slug}`)
    await stranger.getByRole('link', { name: 'Ask for access' }).first().click()
    await expect(stranger.getByText('Old phones, please.')).toBeVisible()
    await stranger.getByLabel('Your name').fill(name)
    await stranger.getByRole('button', { name: 'Ask for access' }).click()
    await expect(stranger.getByText('Your request has arrived.')).toBeVisible()
  }

  await page.reload()
  await page.getByRole('button', { name: 'Decline Kim' }).click()
  await expect(page.getByText('1 request declined')).toBeVisible()
  await page.getByLabel('Select all on this page').check()
  await page
    .getByRole('group', { name: 'Selected requests' })
    .getByRole('button', { name: 'Approve' })
    .click()
  await expect(page.getByText('2 requests approved')).toBeVisible()
  await expect(page.getByText('The form is closed: all places are taken.')).toBeVisible()
  await expect(page.getByRole('row', { name: 'Lou' })).toContainText('beta')

  await stranger.reload()
  await expect(stranger.getByText(/For testers: Mo · until/)).toBeVisible()
  await expect(stranger.getByRole('link', { name: 'lantern-2.0-beta.apk' })).toBeVisible()
  await stranger.close()
})
