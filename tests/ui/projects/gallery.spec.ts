import type { Page } from 'playwright/test'
import { objectionsAtEverySize } from '../support/axe'
import { holdBack } from '../support/hold-back'
import { startApp } from '../support/settled'
import { aBuild, aPublicProject, expect, visitorTest as test } from '../../support/world/page'
import { aPng } from '../../support/packages'
import { plantPictures } from '../../support/pictures'

test('screenshots open over the page by keyboard, before the app starts and after', async ({
  page,
  alice,
  host,
}) => {
  const project = await aPublicProject(alice)
  const file = await aBuild(alice, project, 'lantern.png', {
    bytes: new Uint8Array([...aPng(64), ...aPng(64)]),
  })
  const shots = ['Reading', 'Night', 'Settings', 'Shelf'].map((alt) => ({
    alt,
    width: 720,
    height: 450,
  }))
  const cover = { kind: 'cover', alt: 'A lamp', width: 1200, height: 630 } as const
  const screenshots = shots.map((shot) => ({ ...shot, kind: 'screenshot' as const }))
  await plantPictures(host, project.project_id, file.file_id, [cover, ...screenshots])
  const send = await holdBack(page, 'lightbox')
  await page.goto(`/p/${project.slug}`)
  await page.getByRole('link', { name: 'Night' }).dblclick()
  send()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await lookAround(page)

  await startApp(page)
  await lookAround(page)
  expect(await objectionsAtEverySize(page)).toEqual([])
})

/** Opens the second picture, goes round, and comes back to it. */
async function lookAround(page: Page): Promise<void> {
  const opener = page.getByRole('link', { name: 'Night' })
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Screenshots' })
  const shown = (text: string) => expect(dialog.getByRole('paragraph')).toHaveText(text)
  await shown('2 of 4 · Night')
  for (const [key, text] of [
    ['ArrowRight', '3 of 4 · Settings'],
    ['End', '4 of 4 · Shelf'],
    ['ArrowRight', '1 of 4 · Reading'],
    ['ArrowLeft', '4 of 4 · Shelf'],
  ] as const) {
    await page.keyboard.press(key)
    await shown(text)
  }
  await dialog.getByRole('button', { name: 'Previous' }).click()
  await shown('3 of 4 · Settings')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
}
