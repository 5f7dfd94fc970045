import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fromBufferPromise } from 'yauzl'
import { drop } from '../../support/drop'
import { aHollowFile } from '../../support/world/factories'
import { answer, aProject, expect, test as base } from '../../support/world/page'
import { interrupt } from '../support/interrupt'
import { choose, hold, MB, picked, slowDown, watchProgress } from '../support/uploading'

/** `test` on a host where files of more than a megabyte can be resumed. */
const test = base.extend({
  config: async ({}, use) => use({ resumableUploads: { above: MB, chunk: MB } }),
})

test('a file from the picker is uploaded, announced and listed, and the form is reset', async ({
  page,
  alice,
}) => {
  await page.goto('/my-files')
  await expect(page.getByText('They stay private until you make them public.')).toBeVisible()
  await expect(page.getByRole('table')).toHaveCount(0)
  await expect(page.getByRole('searchbox')).toHaveCount(0)
  await choose(page, picked('lantern-\u202e1.0.apk'))
  const chosen = page.getByRole('list', { name: 'Chosen files' })
  await expect(
    chosen.getByTitle('lantern-1.0.apk', { exact: true }),
    'without control characters',
  ).toBeVisible()
  await page.getByLabel('Make this file public').check()
  await page.getByRole('button', { name: 'Upload', exact: true }).click()

  await expect(page.getByText('File uploaded successfully!')).toBeVisible()
  const row = page.getByRole('row', { name: /lantern-1\.0\.apk/ })
  await expect(row.getByRole('switch')).toBeChecked()
  await expect(page.getByRole('region', { name: 'Uploads' })).toBeHidden()
  await expect(page.getByText('File uploaded successfully!')).toBeHidden()
  const { files } = await alice.files.mine({})
  expect(files.map(({ filename, size, is_public }) => ({ filename, size, is_public }))).toEqual([
    { filename: 'lantern-1.0.apk', size: 1000, is_public: true },
  ])

  await choose(page, picked('next.apk'))
  await expect(page.getByLabel('Make this file public')).not.toBeChecked()
})

test('files are dropped anywhere on any page, and several make a queue', async ({
  page,
  alice,
}) => {
  await page.goto('/projects')
  const dataTransfer = await page.evaluateHandle(() => {
    const transfer = new DataTransfer()
    for (const name of ['one.zip', 'two.zip', 'three.zip'])
      transfer.items.add(new File(['bytes of ' + name], name))
    return transfer
  })
  // No dragenter: it came before the code had loaded.
  await hold(page, dataTransfer, 'dragover')
  await page.getByText('Drop to publish').dispatchEvent('drop', { dataTransfer })
  await expect(page.getByText('Drop to publish')).toBeHidden()

  // Each has arrived, because what the host has just taken cannot be stopped.
  await expect(page.getByRole('dialog').getByText(/^1\d Bytes$/)).toHaveCount(3)
  await page.getByRole('button', { name: 'Leave out two.zip' }).click()
  await expect(page.getByRole('heading', { name: 'Publish 2 files' })).toBeVisible()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByText('2 files uploaded and added to project!')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'One is published' })).toBeVisible()
  const names = async () =>
    (await alice.files.mine({})).files.map(({ filename }) => filename).sort()
  await expect.poll(names).toEqual(['one.zip', 'three.zip'])
})

test('a dropped folder is sent as one ZIP with its structure', async ({ page, alice, host }) => {
  const dir = test.info().outputPath()
  await mkdir(join(dir, 'Rocket/lib'), { recursive: true })
  await writeFile(join(dir, 'Rocket/lib/large.bin'), Buffer.alloc(3 * MB, 7))
  await writeFile(join(dir, 'Rocket/.DS_Store'), 'x')
  await writeFile(join(dir, 'Rocket/read.me'), 'Hello')
  await mkdir(join(dir, 'Empty'))
  await page.goto('/my-files')
  await drop(page, [join(dir, 'Rocket'), join(dir, 'Empty')])

  const chosen = page.getByRole('list', { name: 'Chosen files' }).getByRole('listitem')
  await expect(chosen).toHaveText([
    /Rocket\.zip.*A folder with 2 files, sent as one ZIP/,
    /This folder is empty/,
  ])
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(page.getByText('File uploaded successfully!')).toBeVisible()
  const [file] = (await alice.files.mine({})).files
  expect(file?.filename).toBe('Rocket.zip')
  const reply = await page.request.get(`${host.url}/api/files/${file?.file_id}/download`)
  const zip = await fromBufferPromise(await reply.body())
  const names = []
  for await (const { fileName, uncompressedSize } of zip.eachEntry())
    names.push([fileName, uncompressedSize])
  expect(names).toEqual([
    ['Rocket/lib/large.bin', 3 * MB],
    ['Rocket/read.me', 5],
  ])
})

test('progress follows the bytes, stays at 90 % until the host answers, and shows speed and time', async ({
  page,
}) => {
  await page.goto('/my-files')
  await slowDown(page, MB / 4)
  const watching = watchProgress(page, 'Upload of large.dat')
  await choose(page, picked('large.dat', MB))
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  const seen = await watching
  expect(seen).toEqual([...seen].sort((a, b) => a - b))
  expect(new Set(seen).size).toBeGreaterThan(8)
  expect(seen.at(-1)).toBe(100)
  expect(Math.max(...seen.filter((value) => value < 100))).toBeLessThanOrEqual(90)
})

test('an upload continues on other pages; a cancelled one ends', async ({ page, alice }) => {
  await page.goto('/my-files')
  await slowDown(page, MB / 30)
  await choose(page, picked('large.bin', MB))
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Dashboard' })
    .click()
  await expect(page.getByRole('heading', { name: 'Welcome, alice' })).toBeVisible()
  const dock = page.getByRole('complementary', { name: 'Uploads' })
  await expect(dock.getByText('Uploading large.bin')).toBeVisible()
  await slowDown(page, -1)
  await expect(page.getByText('File uploaded successfully!')).toBeVisible()
  await expect(dock).toBeHidden()
  await expect(page.getByRole('row', { name: /large\.bin/ })).toBeVisible()

  await page.goto('/my-files')
  await slowDown(page, MB / 30)
  await choose(page, picked('cancelled.bin', 3 * MB))
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByRole('button', { name: 'Cancel cancelled.bin' }).click()
  await expect(page.getByText('cancelled.bin')).toHaveCount(0)
  await slowDown(page, -1)
  await choose(page, picked('after.txt'))
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(page.getByRole('row', { name: /after\.txt/ })).toBeVisible()
  expect((await alice.files.mine({})).files.map(({ filename }) => filename)).toEqual([
    'after.txt',
    'large.bin',
  ])
})

test('an upload shows its speed, asks before the page ends', async ({ page, alice }) => {
  await page.goto('/my-files')
  await slowDown(page, MB / 30)
  await choose(page, picked('large.bin', 3 * MB))
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(
    page.getByText(/KB of 3\.00 MB · .+\/s · About \d+ (seconds|minutes?) left/),
  ).toBeVisible()
  const question = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  expect((await question).type()).toBe('beforeunload')
  await (await question).dismiss()

  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
  await answer(
    page,
    'An upload is still running and would stop. You can resume it later.',
    'Cancel',
  )
  await expect(page.getByRole('progressbar', { name: 'Upload of large.bin' })).toBeVisible()
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
  await answer(
    page,
    'An upload is still running and would stop. You can resume it later.',
    'Log out anyway',
  )
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('complementary', { name: 'Uploads' })).toHaveCount(0)
  expect((await alice.files.mine({})).total).toBe(0)
})

test('a file is added to a project with version and platform, and outlives it', async ({
  page,
  alice,
  complaints,
}) => {
  const { project_id } = await aProject(alice, 'Lantern')
  await page.goto('/my-files')
  await choose(page, picked('lantern.apk'))
  await expect(page.getByRole('combobox', { name: 'Version' })).toHaveCount(0)
  await page.getByRole('combobox', { name: 'Add to project' }).click()
  await page.getByRole('listbox').getByRole('option', { name: 'Lantern' }).click()
  await page.getByRole('combobox', { name: 'Version' }).fill('2.0.0')
  await expect(page.getByRole('combobox', { name: 'Platform' })).toHaveValue('Android')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByText('File uploaded and added to project!')).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  const { project } = await alice.projects.byId({ id: project_id })
  expect(project.downloads).toMatchObject([
    { filename: 'lantern.apk', version: '2.0.0', platform: 'Android' },
  ])

  await choose(page, picked('late.apk'))
  await page.getByRole('combobox', { name: 'Add to project' }).click()
  await page.getByRole('listbox').getByRole('option', { name: 'Lantern' }).click()
  // The page does not hear that the project is gone.
  await page.route(/\/api\/projects\/my\b/, (route) => route.abort())
  await alice.projects.remove({ id: project_id })
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const sheet = page.getByRole('dialog')
  const problem = sheet
    .getByRole('alert')
    .filter({ hasText: 'File uploaded, but failed to add to project' })
  await expect(problem).toBeVisible()
  await sheet.getByRole('button', { name: 'Dismiss late.apk' }).click()
  await expect(problem).toBeHidden()
  await expect(page.getByRole('row', { name: /late\.apk/ })).toBeVisible()
  complaints.length = 0
})

test('what the host would refuse is said before a byte is sent', async ({ page }, testInfo) => {
  const sparse = async (name: string, size: number) => {
    const path = testInfo.outputPath(name)
    await writeFile(path, '')
    await truncate(path, size)
    return path
  }
  let uploads = 0
  page.on(
    'request',
    (request) => void (uploads += request.url().endsWith('/api/files/upload') ? 1 : 0),
  )
  await page.goto('/my-files')
  await choose(page, [
    await sparse('huge.iso', 2 * 1024 ** 3 + 1),
    await sparse('film.mov', 101 * MB),
  ])
  await expect(page.getByText(/Too large: a file can have at most 2\.00 GB/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Upload 0 of 2 files' })).toBeVisible()
  await expect(page.getByText(/This file needs 101\.00 MB; you have 100\.00 MB left/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Upload', exact: true })).toBeDisabled()
  expect(uploads).toBe(0)
})

test('an interrupted upload says so and resumes; a refused one has a reason', async ({
  page,
  host,
  complaints,
}) => {
  await page.goto('/my-files')
  const end = await interrupt(page, '**/api/files/upload')
  await choose(page, picked('lantern.apk'))
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(
    page.getByText(/^The host is unreachable\. The upload resumes automatically/),
  ).toBeVisible()
  end()
  await expect(page.getByText('File uploaded successfully!')).toBeVisible()

  await aHollowFile(host, host.user('alice'), {
    filename: 'first.bin',
    size: 100 * MB - 2000,
    isPublic: true,
  })
  await choose(page, picked('late.bin', MB))
  const problem = page.getByRole('alert').filter({ hasText: /storage|quota|room/i })
  await expect(problem).toBeVisible()
  await expect(problem).not.toContainText('connection')
  complaints.length = 0
})
