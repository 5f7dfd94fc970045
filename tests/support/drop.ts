import { expect, type Page } from 'playwright/test'

/** Drags files and folders from the desktop onto the page, as the system does it. */
export async function drop(page: Page, files: string[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const data = { items: [], files, dragOperationsMask: 1 }
  const send = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    devtools.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data })
  // Keep moving until the page accepts files: a drop on an element that was just replaced is lost.
  await expect(async () => {
    await send('dragEnter')
    await send('dragOver')
    await expect(page.getByText(/^Drop to /)).toBeVisible({ timeout: 500 })
  }).toPass()
  await send('dragOver')
  await send('drop')
  await devtools.detach()
}
