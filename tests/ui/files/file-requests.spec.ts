import { writeFile } from 'node:fs/promises'
import { desk, objectionsAtEverySize } from '../support/axe'
import { answer, expect, test } from '../../support/world/page'
import { interrupt } from '../support/interrupt'

const file = (name: string, size = 20) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.alloc(size, 'x'),
})

test('people without an account send files by a link, and their owner sees who', async ({
  page,
  alice,
  host,
  browser,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/my-files')
  await page.getByRole('button', { name: 'Request files' }).click()
  const dialog = page.getByRole('dialog', { name: 'Request files' })
  await dialog.getByRole('textbox', { name: 'What you ask for' }).fill('Save games')
  await dialog.getByLabel('Files', { exact: true }).fill('4')
  expect(await objectionsAtEverySize(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(page.getByText('Link created and copied')).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  const address = host.url + new URL(link).pathname

  const plain = await browser.newPage({ javaScriptEnabled: false })
  await plain.goto(address)
  await expect(plain.getByRole('heading', { name: 'alice asks you for files' })).toBeVisible()
  await plain.getByLabel('Your name').fill('Kim')
  await plain.getByLabel('File', { exact: true }).setInputFiles(file('empty.dat', 0))
  await plain.getByRole('button', { name: 'Send' }).click()
  await expect(plain.getByText('that is not empty')).toBeVisible()
  await plain.getByLabel('Your name').fill('Kim')
  await plain.getByLabel('Message').fill('It crashes in level 3.')
  await plain.getByLabel('File', { exact: true }).setInputFiles(file('plain.dat'))
  await plain.getByRole('button', { name: 'Send' }).click()
  await expect(plain.getByRole('heading', { name: 'Your file has arrived' })).toBeVisible()
  await plain.close()

  const sender = await browser.newPage()
  await sender.goto(address)
  await sender.getByLabel('Your name').fill('Robin')
  await expect(sender.getByLabel('Files', { exact: true })).toHaveAttribute('multiple')
  const chosen = [file('one.dat'), file('two.dat'), file('three.dat'), file('four.dat')]
  await sender.getByLabel('Files', { exact: true }).setInputFiles(chosen)
  await sender.getByRole('button', { name: 'Remove four.dat' }).click()
  expect(await objectionsAtEverySize(sender)).toEqual([])
  await sender.getByRole('button', { name: 'Send' }).click()
  await expect(sender.getByText('3 files arrived.')).toBeVisible()
  await sender.getByLabel('Files', { exact: true }).setInputFiles(file('late.dat'))
  await sender.getByRole('button', { name: 'Send' }).click()
  await expect(sender.getByText(/This link has ended or never existed/)).toBeVisible()
  await sender.close()

  await dialog.getByRole('button', { name: 'Change Save games' }).click()
  await dialog.getByLabel('Files', { exact: true }).fill('9')
  await dialog.getByLabel('Password', { exact: true }).fill('open sesame')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  const row = dialog.getByRole('listitem', { name: 'Link Save games' })
  await expect(row.getByText('4 of 9 files')).toBeVisible()
  await expect(row.getByText('Password')).toBeVisible()
  await dialog.getByRole('button', { name: 'Actions for Save games' }).click()
  await page.getByRole('menuitem', { name: 'End the link…' }).click()
  await answer(page, /Files that you have received stay/, 'End the link')
  await expect(dialog.getByRole('button', { name: 'Create link' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Request files' })).toBeFocused()

  await page.setViewportSize(desk)
  const calls: string[] = []
  page.on('response', (it) => it.url().includes('received=true') && calls.push('listed'))
  page.on('request', (it) => it.url().endsWith('/file-requests/seen') && calls.push('seen'))
  await page.getByText('Received (4 new)').click()
  const received = page.getByRole('row', { name: /plain\.dat/ })
  await expect(received.getByText('From Kim, for Save games')).toBeVisible()
  await expect(received.getByText('New', { exact: true })).toBeVisible()
  await expect(page.getByText('Received', { exact: true })).toBeVisible()
  await expect.poll(() => calls).toEqual(['listed', 'seen'])
  await expect.poll(async () => (await alice.fileRequests.list({})).new_files).toBe(0)
  expect(await objectionsAtEverySize(page)).toEqual([])
  await page.getByRole('button', { name: 'Actions for plain.dat' }).click()
  await page.getByRole('menuitem', { name: 'Details' }).click()
  await expect(page.getByText('It crashes in level 3.')).toBeVisible()
})

test('a large file resumes after a reload', async ({ page, alice, host, browser }) => {
  const { file_request } = await alice.fileRequests.create({ name: 'Logs' })
  const address = host.url + new URL(file_request.url ?? '').pathname
  const sender = await browser.newPage()
  await sender.goto(address)

  // From the disk: a chosen buffer would have another date each time.
  const big = test.info().outputPath('big.log')
  await writeFile(big, Buffer.alloc(150_000, 'x'))
  // Small pieces, because a route reads the whole body of each request.
  const piece = 100_000

  const choose = async () => {
    await sender.locator('form').evaluate((form, bytes) => {
      form.dataset['chunk'] = String(bytes)
    }, piece)
    await sender.getByLabel('Your name').fill('Robin')
    await expect(sender.getByLabel('Files', { exact: true })).toHaveAttribute('multiple')
    await sender.getByLabel('Files', { exact: true }).setInputFiles(big)
    await sender.getByRole('button', { name: 'Send' }).click()
  }

  // Its second piece does not arrive, however often the page tries.
  let pieces = 0
  const end = await interrupt(sender, '**/uploads/*', async (route) => {
    if (route.request().method() === 'PATCH' && ++pieces >= 2) return route.abort()
    return route.continue()
  })
  await choose()
  await expect(sender.getByText(/The connection was lost/)).toBeVisible()
  sender.on('dialog', (asked) => void asked.accept())
  await sender.reload()
  end()

  const offsets: string[] = []
  sender.on('request', (request) => {
    const offset = request.headers()['upload-offset']
    if (request.method() === 'PATCH' && offset !== undefined) offsets.push(offset)
  })
  await choose()
  await expect(sender.getByText('1 file arrived.')).toBeVisible()
  expect(offsets).toEqual([String(piece)])
  expect((await alice.files.mine({ received: 'true' })).files).toHaveLength(1)
  await page.close()
})
