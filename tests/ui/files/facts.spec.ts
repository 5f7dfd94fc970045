import { writeFile } from 'node:fs/promises'
import { INFO_XML } from '../../support/apple-package'
import { blobPath } from '../../support/kept-bytes'
import { anIpa } from '../../support/packages'
import { aBuild, aFile, aProject, expect, test } from '../../support/world/page'
import { aCertificate, aRocket } from '../../support/packages/rocket-app'
import { choose } from '../support/uploading'
import { addExistingFiles } from '../support/add-existing-files'

const LINE = '1.4 (104) · Android 8 or later · arm64'
const permissions = [
  'CAMERA',
  'INTERNET',
  'READ_SMS',
  'WAKE_LOCK',
  'NFC',
  'READ_CONTACTS',
  'RECORD_AUDIO',
].map((name) => `android.permission.${name}`)

test('the details of a file are opened by keyboard and say everything about its package', async ({
  page,
  alice,
}) => {
  const project = await aProject(alice, 'Rocket')
  const bytes = aRocket({ certificate: aCertificate(), permissions })
  await aBuild(alice, project, 'rocket.apk', { bytes, version: 'spring' })
  await page.goto('/my-files')
  const row = page.getByRole('row', { name: /rocket\.apk/ })
  await expect(row.locator('img')).toHaveJSProperty('naturalWidth', 48)
  const line = row.getByRole('button', { name: LINE })
  await line.press('Enter')

  const dialog = page.getByRole('dialog', { name: 'rocket.apk' })
  for (const [label, value] of [
    ['Version', 'spring'],
    ['In the package', '1.4 (104)'],
    ['Application ID', 'com.acme.rocket'],
    ['Runs on', 'Android 8 or later'],
    ['Made for', 'Android 14 (API level 34)'],
    ['Signature', 'Signed (v2)'],
  ] as const) {
    await expect(dialog.locator('dl > div').filter({ hasText: label }).last()).toContainText(value)
  }
  await dialog.getByText('7 permissions').press('Enter')
  await expect(dialog.getByRole('list', { name: 'Phone and messages' })).toHaveText('Read SMS')
  await expect(dialog.getByText('Present, not checked')).toBeVisible()
  await expect(
    dialog.getByRole('button', { name: 'Copy SHA-256 of the certificate' }),
  ).toBeVisible()

  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(line).toBeFocused()
})

test('an unreadable package says why, and is read again', async ({ page, alice, host }) => {
  const bytes = aRocket({})
  const damaged = new File([bytes.slice(0, -30), new Uint8Array(30)], 'rocket.apk')
  const { file_id } = await alice.files.upload({ file: damaged })
  await aFile(alice, 'notes.txt')
  await page.goto('/my-files')
  const detailsOf = async (filename: string) => {
    await page.getByRole('button', { name: `Actions for ${filename}` }).click()
    await page.getByRole('menuitem', { name: 'Details' }).click()
    return page.getByRole('dialog', { name: filename })
  }
  const notes = await detailsOf('notes.txt')
  await expect(notes.getByText('Slipway does not read .txt files.')).toBeVisible()
  await expect(notes.getByRole('button', { name: 'Read again' })).toHaveCount(0)
  await page.keyboard.press('Escape')

  const dialog = await detailsOf('rocket.apk')
  await expect(dialog.getByText('The file is not a zip archive')).toBeVisible()
  await dialog.getByRole('button', { name: 'Read again' }).click()
  await expect(page.getByText('This package cannot be read')).toBeVisible()

  const { blobId } = host.inside.files.find(file_id)!
  await writeFile(blobPath(host.dataDir, blobId), bytes)
  await dialog.getByRole('button', { name: 'Read again' }).click()
  await expect(page.getByText('Package read again')).toBeVisible()
  await expect(dialog.getByText('com.acme.rocket')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: LINE })).toBeVisible()
})

test('details fill a phone; an icon may be missing', async ({ page, alice, complaints }) => {
  const project = await aProject(alice, 'Rocket')
  await aBuild(alice, project, 'rocket.apk', { bytes: aRocket({}) })
  await page.route('**/api/files/*/icon', (route) => route.abort())
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`/projects/${project.slug}`)
  const card = page.getByRole('list', { name: 'Files of this project' }).getByRole('listitem')
  await expect(card.locator('svg').first()).toBeVisible()
  await expect(card.locator('img')).toHaveCount(0)
  await card.getByRole('button', { name: 'Actions for rocket.apk' }).click()
  await page.getByRole('menuitem', { name: 'Details' }).click()

  const dialog = page.getByRole('dialog', { name: 'rocket.apk' })
  await expect(dialog.getByText('com.acme.rocket')).toBeVisible()
  // The browser of the test may show a scroll bar beside it.
  expect((await dialog.boundingBox())?.width).toBeGreaterThan(340)

  await page.keyboard.press('Escape')
  const ipa = new Uint8Array(anIpa(Buffer.from(INFO_XML)))
  await aBuild(alice, project, 'rocket.ipa', { bytes: ipa })
  await page.reload()
  await page.getByRole('button', { name: 'Details of rocket.ipa' }).click()
  const ios = page.getByRole('dialog', { name: 'rocket.ipa' })
  await expect(ios.getByText('Räket & Co')).toBeVisible()
  for (const text of ['iOS 15 or later', 'iPhone, iPad', '2.4.1 (812)']) {
    await expect(ios.getByText(text)).toBeVisible()
  }
  complaints.length = 0
})

test('a build with warnings is uploaded, and the sheet says what to do until it is closed', async ({
  page,
  alice,
}) => {
  const project = await aProject(alice, 'Rocket')
  await aBuild(alice, project, 'rocket-1.4.apk', {
    bytes: aRocket({ certificate: aCertificate() }),
  })
  await page.goto(`/projects/${project.slug}`)
  const buffer = Buffer.from(aRocket({ version: '1.5', build: 105, certificate: aCertificate() }))
  await choose(page, { name: 'rocket-1.5.apk', mimeType: 'application/octet-stream', buffer })
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText('1.5 (105) · Android 8 or later · arm64')).toBeVisible()
  await expect(sheet.locator('img')).toHaveJSProperty('naturalWidth', 48)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()

  const warning = 'This build is signed by another certificate than the last one.'
  await expect(sheet.getByRole('list', { name: 'Warnings' })).toContainText(warning)
  await expect(
    page.getByRole('status').filter({ hasText: `Warning for rocket-1.5.apk: ${warning}` }),
  ).toHaveCount(1)
  await expect(page.getByRole('row', { name: /rocket-1\.5\.apk/ })).toBeVisible()
  await sheet.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(page.getByText(warning)).toHaveCount(0)
})

test('files added with warnings are there, and the page helps', async ({ page, alice }) => {
  const project = await aProject(alice, 'Rocket')
  const unsigned = new File([aRocket({})], 'rocket.apk')
  await alice.files.upload({ file: unsigned })
  await page.goto(`/projects/${project.slug}`)
  await addExistingFiles(page)
  await page.getByRole('checkbox', { name: 'rocket.apk' }).check()
  await page.getByRole('button', { name: 'Add to project' }).click()

  const alert = page.getByRole('alert').filter({ hasText: 'Added, with' })
  await expect(alert).toContainText(
    'This build is not signed. Sign it, because devices may refuse to install it.',
  )
  await expect(page.getByRole('row', { name: /rocket\.apk/ })).toBeVisible()
  await alert.getByRole('button', { name: 'Dismiss' }).click()
  await expect(alert).toBeHidden()
})
