import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { APP_ID } from '../../../main/start/app-id'

const assets = join(import.meta.dirname, '../../../assets')
const SIGNATURE = '89504e470d0a1a0a'

/** Width and height that a PNG says it has. */
function sizeOf(png: Buffer): number[] {
  expect(png.subarray(0, 8).toString('hex')).toBe(SIGNATURE)
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

test('the icon of Windows holds the sizes that its shell asks for, each as it says', () => {
  const file = readFileSync(join(assets, 'icon.ico'))
  const sizes = Array.from({ length: file.readUInt16LE(4) }, (_, index) => {
    const at = 6 + 16 * index
    const [length, offset] = [file.readUInt32LE(at + 8), file.readUInt32LE(at + 12)]
    const size = file.readUInt8(at) || 256
    expect(sizeOf(file.subarray(offset, offset + length))).toEqual([size, size])
    return size
  })
  expect(sizes).toEqual([16, 24, 32, 48, 64, 128, 256])
})

test('the app tells Windows the id of its installer, whose shortcut has the icon and the name of its notices', () => {
  expect(readFileSync(join(assets, '../electron-builder.yml'), 'utf8')).toContain(
    `appId: ${APP_ID}\n`,
  )
})

test('the icon of macOS holds pictures up to 1024 pixels, and is as long as it says', () => {
  const file = readFileSync(join(assets, 'icon.icns'))
  expect([file.toString('ascii', 0, 4), file.readUInt32BE(4)]).toEqual(['icns', file.length])
  const sizes: number[] = []
  for (let at = 8; at < file.length; at += file.readUInt32BE(at + 4))
    sizes.push(sizeOf(file.subarray(at + 8))[0]!)
  expect(Math.max(...sizes)).toBe(1024)
  expect(sizes).toEqual(expect.arrayContaining([32, 64, 128, 256, 512]))
})

test('the icons of Linux are as large as their names say', () => {
  const names = readdirSync(join(assets, 'icons'))
  expect(names.length).toBeGreaterThanOrEqual(6)
  for (const name of names) {
    const png = readFileSync(join(assets, 'icons', name))
    expect(`${sizeOf(png).join('x')}.png`).toBe(name)
  }
})
