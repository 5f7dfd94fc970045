import { createClient } from '../../support/network/client'
import { expect } from '../../support/world/page'
import { test } from '../support/window-world'

test('the host sees who did what from where, by kind and person, and earlier', async ({
  page,
  host,
  alice,
}) => {
  host.inside.audit.recordHost({ kind: 'internet_address' })
  await alice.files.upload({
    file: new File(['x'], 'a rather long name of a build, nightly-2030-01-02-release.apk'),
  })
  const { project } = await alice.projects.create({ title: 'Lantern', is_public: true })
  await alice.collaborators.add({ id: project.slug, username: 'host' })
  const { api_key } = await alice.apiKeys.create({ name: 'Build server' })
  await createClient(host.url, { headers: { 'x-api-key': api_key } }).projects.create({
    title: 'By CI',
  })
  await createClient(host.url)
    .accounts.login({ username: 'alice', password: 'wrong password' })
    .catch(() => undefined)

  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'Host', exact: true }).click()
  await page
    .getByRole('navigation', { name: 'Host' })
    .getByRole('link', { name: 'Audit log' })
    .click()
  await expect(page).toHaveURL('/host/audit')
  await expect(page).toHaveTitle('Audit log · Slipway')
  const rows = page.getByRole('row')
  await expect(rows).toHaveCount(1 + 9)
  await expect(rows.nth(1)).toContainText(
    /Sign-in failed.*alice.*Not signed in.*127\.0\.0\.1.*Browser.*Just now/,
  )
  await expect(rows.nth(2)).toContainText(
    /Created a project.*By CI.*private.*alice.*API key “Build server”/,
  )
  await expect(rows.filter({ hasText: 'App window' })).toHaveCount(1)
  await expect(rows.filter({ hasText: 'The address on the internet' })).toContainText(
    /The host.*The host itself/,
  )

  await page.getByLabel('Kind of event').selectOption({ label: 'Created a project' })
  await expect(rows).toHaveCount(1 + 2)
  await page.getByLabel('Person').selectOption({ label: 'host' })
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
  await page.getByRole('button', { name: 'Show everything' }).click()
  await expect(rows).toHaveCount(1 + 9)

  for (let n = 0; n < 60; n++) await alice.projects.create({ title: `Project ${n}` })
  await page.reload()
  await expect(rows).toHaveCount(1 + 1)
  await expect(rows.nth(1)).toContainText('50 times')
  await page.getByRole('button', { name: 'Show older events' }).click()
  await expect(rows).toHaveCount(1 + 1 + 9)
  await page.getByText('and 59 more').click()
  await expect(rows.nth(1).getByText('Project 0', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Show older events' })).toHaveCount(0)
})
