import { expect, type ElectronApplication } from 'playwright/test'

/** Clicks an item of the application menu. */
export async function clickMenu(app: ElectronApplication, id: string): Promise<void> {
  await app.evaluate(({ Menu }, wanted) => {
    const item = Menu.getApplicationMenu()!.getMenuItemById(wanted) as unknown as { click(): void }
    item.click()
  }, id)
}

/** Clicks "Share on this network" and returns whether its mark is set once it is done. */
export async function switchSharing(app: ElectronApplication): Promise<boolean> {
  const id = 'share-on-network'
  const state = () =>
    app.evaluate(({ Menu }, wanted) => {
      const { enabled, checked } = Menu.getApplicationMenu()!.getMenuItemById(wanted)!
      return { enabled, checked }
    }, id)
  await clickMenu(app, id)
  await expect.poll(async () => (await state()).enabled).toBe(true)
  return (await state()).checked
}
