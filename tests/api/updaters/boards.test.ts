import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { aDisk, aFat } from '../../support/images/disk-image'
import { anEspApp, aWholeFlash } from '../../support/images/firmware'
import { aRocket } from '../../support/world/factories'
import { test } from '../../support/world/http'

const IMAGE = aDisk(aFat('BOOTFS', ['BOOTCODE.BIN', 'START4.ELF', 'KERNEL8.IMG']))
const hash = (name: string, bytes: Buffer) => createHash(name).update(bytes).digest('hex')

test('feeds.repository lists images for Raspberry Pi Imager, and firmware for ESP Web Tools and ESPHome', async ({
  server,
}) => {
  const { publish } = await aRocket(server)
  const version = 'v1.1.0'
  const [app, whole] = [anEspApp(9, '1.1.0'), aWholeFlash(9, '1.1.0')]
  await publish('old.bin', { version: '1.0.0', bytes: aWholeFlash(0, '1.0.0') })
  await publish('rocket.img', { version, bytes: IMAGE })
  await publish('rocket s3.bin', { version, bytes: whole })
  await publish('rocket-ota.bin', { version, bytes: app })
  const secret = await publish('c3.bin', { version, bytes: aWholeFlash(5, '1'), is_public: false })
  const feed = (path: string) => server.fetch(`/p/rocket/feeds/${path}`)
  const json = async (path: string) => (await feed(path)).json() as Promise<unknown>
  const files = `${server.url}/p/rocket/releases/v1.1.0`

  expect(await json('imager/stable/os_list.json')).toEqual({
    os_list: [
      {
        name: expect.stringMatching(/ v1\.1\.0$/) as string,
        description: 'rocket.img · arm64',
        icon: '',
        url: `${files}/rocket.img`,
        extract_size: IMAGE.length,
        extract_sha256: hash('sha256', IMAGE),
        image_download_size: IMAGE.length,
        image_download_sha256: hash('sha256', IMAGE),
        release_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
        devices: ['pi5-64bit', 'pi4-64bit', 'pi3-64bit'],
      },
    ],
  })
  const manifest = await feed('esp-web-tools/stable/manifest.json')
  expect(manifest.headers.get('access-control-allow-origin')).toBe('*')
  const builds = [{ chipFamily: 'ESP32-S3', parts: [{ path: 'rocket%20s3.bin', offset: 0 }] }]
  expect(await manifest.json()).toMatchObject({ version: '1.1.0', builds })
  const part = await feed('esp-web-tools/stable/rocket%20s3.bin')
  expect(Buffer.from(await part.arrayBuffer()).equals(whole)).toBe(true)
  expect(part.headers.get('access-control-allow-origin')).toBe('*')
  const ota = { md5: hash('md5', app), path: `${files}/rocket-ota.bin`, release_url: files }
  expect(await json('esphome/stable/manifest.json')).toMatchObject({
    builds: [{ chipFamily: 'ESP32-S3', ota }],
  })

  for (const path of [
    'imager/nightly/os_list.json',
    'esp-web-tools/stable/c3.bin',
    'esphome/stable/other',
  ])
    expect([path, (await feed(path)).status]).toEqual([path, 404])
  expect(
    (
      await server.fetch(`/p/rocket/feeds/esphome/stable/manifest.json`, {
        headers: { origin: 'https://a.example' },
      })
    ).headers.has('access-control-allow-origin'),
  ).toBe(false)
  expect(secret.is_public).toBe(false)
  const html = await (await server.fetch('/p/rocket')).text()
  expect(html).toContain(
    `rpi-imager --repo &#x27;${server.url}/p/rocket/feeds/imager/stable/os_list.json&#x27;`,
  )
  expect(html).toContain('ESP Web Tools')
  const help = await (await server.fetch('/p/rocket/install?device=firmware')).text()
  expect(help).toContain('esptool --chip esp32s3 write_flash')
})
