import { aPicture } from '../../support/pictures'
import { aProject, expect, test } from '../../support/world/page'

const file = (name: string, value: number, width = 80) => ({
  name,
  mimeType: 'image/png',
  buffer: aPicture({ width, height: width / 2, value }),
})

test('pictures are added, replaced, ordered, described and removed, with Undo', async ({
  page,
  alice,
  complaints,
}) => {
  const { project_id: id } = await aProject(alice, 'Lantern')
  const shown = async () => (await alice.projects.byId({ id })).project.pictures
  const orderOf = async () => (await shown()).screenshots.map(({ color }) => color)
  await page.goto(`/projects/${id}/settings`)
  const section = page.getByRole('region', { name: 'Pictures' })

  const icon = async () => (await shown()).icon?.picture_id
  await section.locator('input[aria-label="Add an icon"]').setInputFiles(file('icon.png', 0x11))
  await expect(section.getByRole('button', { name: 'Remove the icon' })).toBeVisible()
  const first = await icon()
  await section
    .locator('input[aria-label="Replace the icon"]')
    .setInputFiles(file('other.png', 0x22))
  await expect(page.getByText('Icon replaced')).toBeVisible()
  expect(await icon()).not.toBe(first)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(icon).toBe(first)

  const text = { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') }
  await section
    .locator('input[aria-label="Add screenshots"]')
    .setInputFiles([file('1.png', 0x33), text, file('2.png', 0x44), file('3.png', 0x55)])
  await expect(section.getByRole('alert')).toContainText('photo.png: SVG pictures can run scripts')
  complaints.length = 0
  await section.getByRole('button', { name: 'Dismiss' }).click()
  await expect(section.getByText('3 of 8')).toBeVisible()
  expect(await orderOf()).toEqual(['#333333', '#444444', '#555555'])

  await section.getByRole('button', { name: 'Move screenshot 3 earlier' }).focus()
  await page.keyboard.press('Enter')
  await expect(section.getByRole('status')).toHaveText('Screenshot 3 is now 2 of 3')
  await expect(section.getByRole('button', { name: 'Move screenshot 2 earlier' })).toBeFocused()
  await expect.poll(orderOf).toEqual(['#333333', '#555555', '#444444'])
  await section.getByRole('listitem').nth(0).dragTo(section.getByRole('listitem').nth(2))
  await expect.poll(orderOf).toEqual(['#555555', '#444444', '#333333'])

  await section.getByRole('button', { name: 'Add a description' }).first().click()
  await page.getByLabel('Description', { exact: true }).last().fill('The lantern at night')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(section.getByRole('button', { name: 'The lantern at night' })).toBeVisible()

  await section.getByRole('button', { name: 'Remove screenshot 1' }).click()
  await expect(section.getByText('2 of 8')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(orderOf).toEqual(['#555555', '#444444', '#333333'])
})
