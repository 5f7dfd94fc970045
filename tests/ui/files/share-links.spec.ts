import { objectionsAtEverySize } from '../support/axe'
import { aFile, answer, expect, test } from '../../support/world/page'
import { readQrCode } from '../support/read-qr-code'

test('a private file is shared for a week in three clicks, received once, and the link ended', async ({
  page,
  alice,
  host,
  browser,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { file_id: id } = await aFile(alice, 'lantern.apk')
  await page.goto('/my-files')
  await page.getByRole('button', { name: 'Actions for lantern.apk' }).click()
  await page.getByRole('menuitem', { name: 'Share link…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share lantern.apk' })
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(page.getByText('Link created and copied')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Copy link' })).toBeFocused()
  const link = (await alice.shareLinks.list({ id })).share_links[0]?.url ?? ''
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await expect(dialog.getByText('Ends in 7 days')).toBeVisible()
  expect(await objectionsAtEverySize(page)).toEqual([])

  await dialog.getByRole('button', { name: `Show QR code of ${link}` }).click()
  const code = await page.getByRole('img', { name: /^QR code of/ }).screenshot()
  expect(await readQrCode(page, code)).toBe(link)
  await page.keyboard.press('Escape')

  await dialog.getByRole('button', { name: 'Create another link' }).click()
  await expect(dialog.getByRole('radio', { name: 'In a week' })).toBeFocused()
  await dialog.getByText('Password, limit and name').click()
  await dialog.getByRole('textbox', { name: 'Password' }).fill('open sesame')
  await dialog.getByLabel('Downloads').fill('none')
  await dialog.getByLabel('Name').fill('Kim')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(dialog.getByText('Use a whole number')).toBeVisible()
  await dialog.getByLabel('Downloads').fill('1')
  await page.keyboard.press('Enter')
  const kim = dialog.getByRole('listitem', { name: 'Link Kim' })
  await expect(kim.getByText('0 of 1 download')).toBeVisible()
  const second = (await alice.shareLinks.list({ id })).share_links[0]?.url ?? ''

  const recipient = await browser.newPage({ javaScriptEnabled: false })
  await recipient.goto(host.url + new URL(second).pathname)
  await recipient.getByLabel('Password').fill('wrong')
  await recipient.getByRole('button', { name: 'Open' }).click()
  await expect(recipient.getByText('That password is wrong.')).toBeVisible()
  await recipient.getByLabel('Password').fill('open sesame')
  await recipient.keyboard.press('Enter')
  await expect(
    recipient.getByRole('heading', { name: 'alice shares a file with you' }),
  ).toBeVisible()
  await expect(recipient.getByText('1 download left')).toBeVisible()
  const downloading = recipient.waitForEvent('download')
  await recipient.getByRole('link', { name: 'Download' }).click()
  expect((await downloading).suggestedFilename()).toBe('lantern.apk')
  await recipient.reload()
  await expect(
    recipient.getByRole('heading', { name: 'This link has ended or never existed' }),
  ).toBeVisible()

  await dialog.getByRole('button', { name: `Actions for ${link}` }).click()
  await page.getByRole('menuitem', { name: 'New address…' }).click()
  await answer(page, /The old one stops working at once/, 'Get a new address')
  await expect(dialog.getByText(link)).toHaveCount(0)
  await expect(kim.getByText('1 of 1 download')).toBeVisible()
  await dialog.getByRole('button', { name: /^Actions for http/ }).click()
  await page.getByRole('menuitem', { name: 'End the link…' }).click()
  await answer(
    page,
    'The link stops working at once, and downloads through it end.',
    'End the link',
  )
  await dialog.getByRole('button', { name: 'Remove Kim' }).click()
  await expect(dialog.getByRole('button', { name: 'Create link' })).toBeVisible()
})
