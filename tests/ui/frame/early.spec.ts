import { aBuild, aFile, aPublicProject, expect, test, visitorTest } from '../../support/world/page'
import { holdBack } from '../support/hold-back'
import { startApp } from '../support/settled'
import { choose, picked } from '../support/uploading'

/** The script that notes what is done has run. */
const opened = { waitUntil: 'domcontentloaded' } as const

test.describe('before the app has loaded', () => {
  test('the header answers a key, and a click that ends later', async ({ page }) => {
    let send = await holdBack(page, 'start')
    await page.goto('/dashboard', opened)
    await page.getByRole('button', { name: 'Menu' }).hover()
    await page.mouse.down()
    send()
    // The app has its first view.
    await expect(page).toHaveTitle(/^Dashboard/)
    await page.mouse.up()
    await expect(page.getByRole('dialog')).toBeVisible()

    send = await holdBack(page, 'start')
    await page.goto('/dashboard', opened)
    await page.getByRole('button', { name: 'Logout' }).press('Enter')
    send()
    await expect(page).toHaveURL('/login')
  })

  test('Ctrl+K opens the search', async ({ page }) => {
    const send = await holdBack(page, 'start')
    await page.goto('/dashboard', opened)
    await page.getByRole('button', { name: /^Search/ }).waitFor()
    await page.keyboard.press('Control+k')
    send()
    await expect(page.getByRole('combobox')).toBeFocused()
  })

  test('files are chosen, and dropped', async ({ page }) => {
    let send = await holdBack(page, 'start')
    await page.goto('/dashboard', opened)
    const asked = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Publish files' }).click()
    const chooser = await asked
    send()
    // Chosen after the app has come.
    await page.getByRole('heading', { name: 'Storage' }).waitFor()
    await chooser.setFiles(picked('chosen.zip'))
    await expect(page.getByRole('dialog')).toContainText('chosen.zip')

    send = await holdBack(page, 'start')
    await page.goto('/dashboard', opened)
    await choose(page, picked('early.zip'))
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['a build'], 'dropped.zip'))
      const options = { dataTransfer, bubbles: true, cancelable: true }
      document.body.dispatchEvent(new DragEvent('drop', options))
    })
    send()
    for (const name of ['early.zip', 'dropped.zip'])
      await expect(page.getByRole('dialog')).toContainText(name)
  })
})

test('Ctrl+K takes what is typed while the search loads', async ({ page }) => {
  const send = await holdBack(page, 'palette')
  await page.goto('/dashboard')
  await expect(page.locator('[data-starting]')).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('upload')
  send()
  await expect(page.getByRole('combobox')).toHaveValue('upload')
  await expect(page.getByRole('combobox')).toBeFocused()
})

test('a second click on Menu does not take the first one back', async ({ page }) => {
  const send = await holdBack(page, 'sidebar')
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Menu', exact: true }).dblclick()
  send()
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('a click on a menu counts although its code comes while the button is down', async ({
  page,
  alice,
}) => {
  await aFile(alice, 'notes.txt')
  const send = await holdBack(page, 'file-row-menu')
  await page.goto('/my-files')
  await page.waitForFunction(() => performance.getEntriesByName('first-view').length > 0)
  const button = page.getByRole('button', { name: 'Actions for notes.txt' })
  await button.hover()
  const early = await button.elementHandle()
  await page.mouse.down()
  send()
  await page.waitForFunction((element) => !element.isConnected, early)
  await page.mouse.up()
  await expect(page.getByRole('menu')).toBeVisible()
})

test('files are pasted, and a folder is chosen, before what is dropped shows', async ({ page }) => {
  await holdBack(page, 'drop-anywhere')
  await page.goto('/my-files')
  const asked = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose a folder' }).click()
  await asked
  await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File(['a build'], 'pasted.zip'))
    document.body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  })
  await expect(page.getByRole('dialog')).toContainText('pasted.zip')
})

visitorTest('texts stay, and their marks, when the app takes over', async ({ page, alice }) => {
  await aFile(alice, 'lantern.apk', { isPublic: true })
  const send = await holdBack(page, 'start')
  await page.goto('/public-files', opened)
  const search = page.getByRole('searchbox')
  await search.fill('lanxtern')
  await search.evaluate((input: HTMLInputElement) => input.setSelectionRange(3, 4))
  send()
  await startApp(page)
  await page.keyboard.press('Delete')
  await expect(search).toHaveValue('lantern')
})

visitorTest('a text stays although the focus has left it', async ({ page, alice }) => {
  await aFile(alice, 'lantern.apk', { isPublic: true })
  const send = await holdBack(page, 'start')
  await page.goto('/public-files', opened)
  const search = page.getByRole('searchbox')
  await search.fill('lantern')
  await page.keyboard.press('Tab')
  send()
  await startApp(page)
  await expect(search).toHaveValue('lantern')
})

visitorTest('a long description stays unfolded', async ({ page, alice }) => {
  const project = await aPublicProject(alice, { description: 'It reads books. '.repeat(200) })
  await page.goto(`/p/${project.slug}`)
  await page.getByText('Show all').click()
  await startApp(page)
  await expect(page.locator('[type=checkbox]')).toBeChecked()
})

visitorTest('a key that is down when the app is ready counts', async ({ page, alice }) => {
  const project = await aPublicProject(alice)
  await aBuild(alice, project, 'lantern.apk')
  const send = await holdBack(page, 'start')
  await page.goto(`/p/${project.slug}`, opened)
  await page.getByText('QR code').first().focus()
  await page.keyboard.down(' ')
  send()
  await page.waitForLoadState('networkidle')
  await page.keyboard.up(' ')
  await startApp(page)
  await expect(page.getByRole('img', { name: /QR/ }).first()).toBeVisible()
})
