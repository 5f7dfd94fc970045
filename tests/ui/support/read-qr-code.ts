import jsQR from 'jsqr'
import type { Page } from 'playwright/test'

/**
 * The text that a camera would read in a picture, or null. The browser of the page decodes the PNG.
 */
export async function readQrCode(page: Page, png: Buffer): Promise<string | null> {
  const { width, height, pixels } = await page.evaluate(pixelsOf, png.toString('base64'))
  return jsQR(new Uint8ClampedArray(Buffer.from(pixels, 'base64')), width, height)?.data ?? null
}

/** Runs in the page. */
async function pixelsOf(base64: string) {
  const image = new Image()
  image.src = `data:image/png;base64,${base64}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.width
  canvas.height = image.height
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser has no canvas')
  context.drawImage(image, 0, 0)
  const { data, width, height } = context.getImageData(0, 0, image.width, image.height)
  let bytes = ''
  for (const byte of data) bytes += String.fromCharCode(byte)
  return { width, height, pixels: btoa(bytes) }
}
