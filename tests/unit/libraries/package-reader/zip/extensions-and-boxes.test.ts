import { describe, expect, test } from 'vitest'
import { aTar } from '../../../../support/linux-package'
import { factsOf, survivesDamage } from '../../../../support/looks'
import { aZip } from '../../../../support/packages'

const manifest = (fields: object) =>
  aZip([
    {
      name: 'manifest.json',
      bytes: Buffer.from(JSON.stringify({ manifest_version: 3, version: '1.2', ...fields })),
    },
  ])

const firefox = manifest({
  name: 'Rocket',
  browser_specific_settings: { gecko: { id: 'rocket@example.org', strict_min_version: '115.0' } },
})

/** With the header of Chromium: its ID is the first 16 bytes of the hash of a key. */
function aCrx(zip: Buffer, version = 3): Buffer {
  const header = Buffer.from(
    `82f10412 0a10 ${'0123456789abcdef'.repeat(2)}`.replaceAll(' ', ''),
    'hex',
  )
  const head = Buffer.alloc(12)
  head.write('Cr24')
  head.writeUInt32LE(version, 4)
  head.writeUInt32LE(header.length, 8)
  return Buffer.concat([head, header, zip])
}

describe('reads extensions of browsers and boxes:', () => {
  test('the ID, version and least browser of an extension', async () => {
    expect(await factsOf('rocket.xpi', firefox)).toMatchObject({
      kind: 'extension',
      name: 'Rocket',
      app_id: 'rocket@example.org',
      version: '1.2',
      min_os: 'Firefox 115.0',
    })
    const crx = aCrx(manifest({ name: '__MSG_name__', minimum_chrome_version: '120' }))
    expect(await factsOf('rocket.crx', crx)).toMatchObject({
      name: null,
      app_id: 'abcdefghijklmnop'.repeat(2),
      min_os: 'Chrome 120',
    })
    expect(await factsOf('rocket.crx', aCrx(firefox, 2))).toBe(
      'Slipway reads version 3 of .crx only.',
    )
    expect(await factsOf('rocket.xpi', aZip([]))).toBe('This extension has no manifest.json.')
  })

  test('the provider of a box', async () => {
    const metadata = Buffer.from('{"provider":"libvirt","format":"qcow2"}')
    expect(await factsOf('a.box', aTar('metadata.json', metadata))).toMatchObject({
      kind: 'box',
      min_os: 'libvirt',
    })
    expect(await factsOf('a.box', aTar('box.ovf', Buffer.from('<Envelope/>')))).toMatchObject({
      min_os: 'virtualbox',
    })
    expect(await factsOf('a.box', aTar('other', metadata))).toBeUndefined()
  })

  test('a damaged one says so', async () => {
    await survivesDamage('rocket.crx', aCrx(firefox), { runs: 300 })
    await survivesDamage('a.box', aTar('metadata.json', Buffer.from('{"provider":"libvirt"}')), {
      runs: 200,
      isMaybe: true,
    })
  })
})
