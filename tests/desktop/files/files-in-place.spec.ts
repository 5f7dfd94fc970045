import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page } from 'playwright/test'
import { PASSWORD } from '../../support/world/password'
import { drop } from '../../support/drop'
import { loaded, test as base } from '../../support/desktop/desktop-test'
import { launch, runToEnd } from '../../support/desktop/app/launch'
import { signedIn } from '../../support/world/people'
import { sha256 } from '../../support/system/sha256'

/** `test` with a build of 12 MB outside the data folder. */
const test = base.extend<{ folder: string; build: { path: string; sha256: string } }>({
  folder: async ({}, use, info) => {
    const folder = info.outputPath('files')
    await mkdir(folder, { recursive: true })
    await use(folder)
  },
  build: async ({ folder }, use) => {
    const [path, bytes] = [join(folder, 'rocket 1.2.apk'), randomBytes(12 * 1024 ** 2)]
    await writeFile(path, bytes)
    await use({ path, sha256: sha256(bytes) })
  },
})

test.use({ people: ['alice'] })

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Username').fill('alice')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL(/\/(dashboard|my-files)$/)
}

const listed = (page: Page) =>
  page.getByRole('list', { name: 'Chosen files' }).getByRole('listitem')
/** Publishes, and closes the sheet at its end. The message about it is there for three seconds only. */
async function publish(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
  const published = page.getByRole('dialog', { name: / is published$/ })
  await published.getByRole('button', { name: 'Done' }).click()
}

/** The requests of the page to the host from now on. */
function sent(page: Page): string[] {
  const calls: string[] = []
  page.on(
    'request',
    (request) => request.method() === 'POST' && calls.push(new URL(request.url()).pathname),
  )
  return calls
}

test('publishes a file dropped on any page without copying it first, and nothing that no person gave to the page', async ({
  page,
  origin,
  build,
  folder,
}) => {
  const alice = await signedIn(origin, 'alice')
  const calls = sent(page)
  await drop(page, [build.path])
  await page.waitForURL('**/login')
  await signIn(page)
  await expect(listed(page)).toHaveText(/rocket 1\.2\.apk/)
  await page.getByRole('dialog').getByRole('radio', { name: 'Only collaborators' }).check()
  await publish(page)

  const { files } = await alice.client.files.mine({})
  expect(files).toMatchObject([
    { filename: 'rocket 1.2.apk', sha256: build.sha256, is_public: false },
  ])
  expect(calls.filter((path) => /files/.test(path))).toEqual(['/api/local-files'])

  const answers = await page.evaluate(async (path) => {
    const { desktop } = window as unknown as {
      desktop: { offerFile(file: unknown): Promise<string | null> }
    }
    const forged = [new File(['x'], path), new Blob(['x']), { path, size: 1 }, path, null]
    const named = Object.assign(new File(['x'], 'x'), { path })
    return Promise.all(
      [...forged, named].map((given) => desktop.offerFile(given).catch(() => 'refused')),
    )
  }, build.path)
  expect(answers.filter((answer) => answer !== null && answer !== 'refused')).toEqual([])

  await drop(page, [folder, build.path])
  await expect(listed(page)).toHaveText([/files\.zip.*A folder with/, /rocket 1\.2\.apk/])
  expect(new URL(page.url()).pathname).toBe('/dashboard')
})

test('files on the command line wait for the person: at the start, from a second start, from the system', async ({
  dataDir,
  build,
  folder,
}) => {
  const app = await launch(dataDir, { args: [build.path] })
  const page = await loaded(app)
  await page.waitForURL('**/login')
  const alice = await signedIn(new URL(page.url()).origin, 'alice')
  await writeFile(join(folder, 'notes.txt'), 'notes')
  await writeFile(join(folder, 'disk.dmg'), 'a disk')
  const later = [folder, `file://${folder}/notes.txt`, join(folder, 'gone.zip')]
  expect(await runToEnd(['--data', dataDir, ...later])).toEqual({ code: 0, stderr: '' })
  await app.evaluate(
    ({ app: it }, path) => it.emit('open-file', { preventDefault() {} }, path),
    join(folder, 'disk.dmg'),
  )
  await signIn(page)

  await expect(listed(page)).toHaveText([
    /rocket 1\.2\.apk/,
    /files.*Drop this folder on the window/,
    /notes\.txt/,
    /gone\.zip.*This file no longer exists/,
    /disk\.dmg/,
  ])
  expect((await alice.client.projects.mine({})).total).toBe(0)
  await publish(page)

  const { files } = await alice.client.files.mine({})
  expect(files.map(({ filename }) => filename).sort()).toEqual([
    'disk.dmg',
    'notes.txt',
    'rocket 1.2.apk',
  ])
  expect(await runToEnd(['--data', dataDir, join(folder, 'disk.dmg')])).toEqual({
    code: 0,
    stderr: '',
  })
  await expect(listed(page)).toHaveText(/disk\.dmg/)
  await app.close()
})
