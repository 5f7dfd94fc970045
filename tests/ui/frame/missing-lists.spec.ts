import { clientOf, expect } from '../../support/world/page'
import { test } from '../support/window-world'
import { walkTo } from '../support/settled'

/** What each page says when its list does not come, and one thing in the list. */
const lists = [
  {
    path: '/browse',
    call: '**/api/projects?*',
    says: 'The projects could not be loaded',
    lists: 'Lantern',
  },
  {
    path: '/my-files',
    call: '**/api/files/my-files**',
    says: 'Your files could not be loaded',
    lists: 'notes.txt',
  },
  {
    path: '/host/people',
    call: '**/api/host/people*',
    says: 'The accounts could not be loaded',
    lists: '2 accounts',
  },
  {
    path: '/host/audit',
    call: '**/api/host/audit*',
    says: 'The audit log could not be loaded',
    lists: '127.0.0.1',
  },
  {
    path: '/projects/lantern/statistics',
    call: '**/history?*',
    says: 'The statistics could not be loaded',
    lists: 'Nothing to count yet',
  },
  {
    path: '/host',
    call: '**/api/host/activity',
    says: 'The state of the host could not be loaded',
    lists: 'This computer only',
  },
]

test('a list that cannot be loaded says so, and is loaded at another try', async ({
  page,
  host,
  complaints,
}) => {
  const owner = await clientOf(host, 'host')
  await owner.projects.create({ title: 'Lantern', is_public: true })
  await owner.files.upload({ file: new File(['x'], 'notes.txt') })
  // They would tell the state of the host too.
  await page.route('**/api/host/events', (route) => route.abort())
  for (const { path, call, says, lists: shown } of lists) {
    await page.route(call, (route) => route.fulfill({ status: 429, body: '{}' }))
    await walkTo(page, path)
    await expect(page.getByRole('alert')).toContainText(says)
    await page.unroute(call)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('main').getByText(shown).first()).toBeVisible()
    await expect(page.getByText(says)).toHaveCount(0)
  }
  complaints.length = 0
})

test('a list without anything says what to do', async ({ page }) => {
  for (const [path, text] of [
    ['/', 'Nothing is published here yet'],
    ['/browse', 'No public projects yet'],
    ['/public-files', 'No public files yet'],
    ['/projects', 'No projects yet'],
    ['/apk-builds', 'No builds yet'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByText(text)).toBeVisible()
  }
})
