import type { Page } from 'playwright/test'
import {
  aBuild,
  aFile,
  answer,
  aProject,
  aPublicProject,
  expect,
  test,
} from '../../support/world/page'
import { walkTo } from '../support/settled'

/**
 * Opens a menu and one of its dialogs by keyboard, leaves it by Escape, and finds the focus on the
 * menu's button.
 */
async function leaveDialogOf(page: Page, menu: string, item: string): Promise<void> {
  const button = page.getByRole('button', { name: menu })
  await button.press('Enter')
  const menuItem = page.getByRole('menuitem', { name: item })
  await menuItem.focus()
  await menuItem.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(button).toBeFocused()
}

test('a dialog or an editor opened from a menu gives the focus back, if only to the page', async ({
  page,
  alice,
}) => {
  const lantern = await aPublicProject(alice)
  await aFile(alice, 'notes.txt')
  await aBuild(alice, lantern, 'lantern.apk')
  await alice.posts.add({ id: lantern.slug, content: 'The first build' })

  await page.goto('/projects')
  await leaveDialogOf(page, 'Actions for Lantern', 'Delete')
  await walkTo(page, '/my-files')
  await leaveDialogOf(page, 'Actions for notes.txt', 'Delete')
  await page.getByRole('button', { name: 'Actions for notes.txt' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  await answer(page, 'Are you sure you want to delete this file?', 'Delete')
  await expect(page.getByRole('button', { name: 'Actions for notes.txt' })).toHaveCount(0)
  await expect(
    page.getByRole('main'),
    'which is left when the focus goes with its row',
  ).toBeFocused()

  await walkTo(page, `/projects/${lantern.slug}/updates`)
  await leaveDialogOf(page, 'Actions for this post', 'Delete')
  await page.getByRole('button', { name: 'Actions for this post' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Edit' }).press('Enter')
  await expect(page.getByRole('textbox', { name: 'Edit post' })).toBeFocused()
  await page.getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Actions for this post' })).toBeFocused()

  await page.setViewportSize({ width: 360, height: 740 })
  await walkTo(page, `/projects/${lantern.slug}`)
  await leaveDialogOf(page, 'Actions for lantern.apk', 'Remove from project')
  await leaveDialogOf(page, 'More ways to add files', 'Add existing files')
})

test('a dialog opened by a button gives the focus back to it', async ({ page, alice }) => {
  const { slug } = await aProject(alice, 'Lantern')
  for (const [place, name] of [
    [`/projects/${slug}/settings`, 'Delete project'],
    ['/projects', 'Create project'],
    ['/api-keys', 'Create API key'],
    [`/projects/${slug}/releases`, 'Create release'],
  ] as const) {
    await walkTo(page, place)
    const button = page.getByRole('button', { name })
    await button.press('Enter')
    await expect(page.getByRole('dialog').locator(':focus')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(button).toBeFocused()
  }
})

test('a menu opened before its code loads takes the focus', async ({ page }) => {
  const { promise: sent, resolve: send } = Promise.withResolvers<undefined>()
  await page.route('**/assets/sidebar-*.js', async (route) => sent.then(() => route.continue()))
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Menu' }).press('Enter')
  send(undefined)
  await expect(page.getByRole('dialog').locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused()
})

test('a button keeps the focus when the code of its menu arrives', async ({ page, alice }) => {
  await aFile(alice, 'notes.txt')
  const { promise: sent, resolve: send } = Promise.withResolvers<undefined>()
  await page.route('**/assets/file-row-menu-*.js', async (route) =>
    sent.then(() => route.continue()),
  )
  await page.goto('/my-files')
  const button = page.getByRole('button', { name: 'Actions for notes.txt' })
  await button.focus()
  send(undefined)
  await expect(button).toHaveAttribute('aria-expanded', 'false')
  await expect(button).toBeFocused()
})

test('a button that was disabled while it worked gets the focus back', async ({
  page,
  alice,
  complaints,
}) => {
  const { slug } = await aProject(alice, 'Lantern')
  await page.goto(`/projects/${slug}/settings`)
  await page.getByRole('textbox', { name: 'Title' }).fill('Beacon')
  const save = page.getByRole('button', { name: 'Save changes' })
  const reply = await holdReply(page, '**/api/projects/*')
  await save.press('Enter')
  await reply.asked
  await expect(save).not.toBeFocused()
  reply.send()
  await expect(save).toBeDisabled()
  await expect(save).toBeFocused()

  await page.goto('/api-keys')
  await page.getByRole('button', { name: 'Create API key' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('ci')
  const create = dialog.getByRole('button', { name: 'Create API key' })
  await page.route('**/api/auth/api-keys', (route) => route.abort())
  await create.press('Enter')
  await expect(dialog.getByRole('alert')).toBeVisible()
  await expect(create).toBeFocused()
  complaints.length = 0
})

/** Holds the reply to the next change until `send`. */
async function holdReply(
  page: Page,
  address: string,
): Promise<{ asked: Promise<unknown>; send: () => void }> {
  const { promise: sent, resolve: send } = Promise.withResolvers<undefined>()
  await page.route(address, async (route) => {
    if (route.request().method() !== 'GET') await sent
    await route.continue()
  })
  return {
    asked: page.waitForRequest((request) => request.method() !== 'GET'),
    send: () => send(undefined),
  }
}
