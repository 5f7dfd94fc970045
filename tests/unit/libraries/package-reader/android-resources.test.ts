import { describe, expect, test } from 'vitest'
import {
  aBinaryXml,
  aResourceTable,
  attribute,
  withSigningBlock,
  type XmlElement,
} from '../../../support/android-package'
import { lookOf, survivesDamage } from '../../../support/looks'
import { anApk, aPng, type Member } from '../../../support/packages'

describe('resources of an Android app', () => {
  const manifest = aBinaryXml({
    name: 'manifest',
    attributes: [[attribute.versionName, { resource: 0x7f010002 }]],
    children: [
      {
        name: 'application',
        attributes: [
          [attribute.label, { resource: 0x7f010000 }],
          [attribute.icon, { resource: 0x7f010001 }],
        ],
      },
    ],
  })
  const withIcon = (table: Buffer, ...files: Member[]) =>
    lookOf(
      'rocket.apk',
      anApk(manifest, { name: 'resources.arsc', bytes: table, isStored: true }, ...files),
    )

  test.for(['plain', 'sparse', 'short', 'compact'] as const)(
    'are found in tables with %s entries',
    async (encoding) => {
      const table = aResourceTable(
        [
          [{ value: 'Rakete', language: 'de' }, { value: { resource: 0x7f010003 } }],
          [
            { value: 'res/m.png', density: 160 },
            { value: 'res/xxx.png', density: 640 },
            { value: 'res/xx.png', density: 480 },
            { value: 'res/any.xml', density: 0xfffe },
          ],
          [{ value: '1.4' }],
          [{ value: 'Rocket' }],
        ],
        encoding,
      )
      const files = ['m', 'xx', 'xxx'].map((name) => ({
        name: `res/${name}.png`,
        bytes: aPng(192, name),
      }))
      const { facts, icon } = await withIcon(table, ...files)
      expect(facts).toMatchObject({ name: 'Rocket', version: '1.4' })
      expect(icon).toEqual(aPng(192, 'xxx'))
      const [medium] = files
      if (medium) expect((await withIcon(table, medium)).icon).toEqual(aPng(192, 'm'))
    },
  )

  test('give the foreground of an adaptive icon', async () => {
    const layer = {
      name: 'foreground',
      attributes: [[attribute.drawable, { resource: 0x7f010002 }]] as const,
    }
    const drawing = aBinaryXml({ name: 'adaptive-icon', children: [{ name: 'background' }, layer] })
    const table = aResourceTable([
      [],
      [{ value: 'res/i.xml', density: 0xfffe }],
      [{ value: 'res/f.png', density: 320 }],
    ])
    const files = [
      { name: 'res/i.xml', bytes: drawing },
      { name: 'res/f.png', bytes: aPng(432) },
    ]
    expect((await withIcon(table, ...files)).icon).toEqual(aPng(432))
  })

  test.for<[string, Buffer]>([
    ['is no PNG', Buffer.from('RIFF____WEBP')],
    ['is too large for its header', aPng(60_000)],
    ['has no pixels', aPng(0)],
    ['has more than 512 kB', Buffer.concat([aPng(192), Buffer.alloc(512 * 1024)])],
  ])('give no icon that %s', async ([, bytes]) => {
    const table = aResourceTable([[{ value: 'Rocket' }], [{ value: 'res/i.png' }]])
    const { facts, icon } = await withIcon(table, { name: 'res/i.png', bytes })
    expect(facts.name).toBe('Rocket')
    expect(icon).toBeNull()
  })

  test('resources that reference each other give nothing', async () => {
    const loop = { value: { resource: 0x7f010000 } }
    const { facts, icon } = await withIcon(aResourceTable([[loop], [loop], [loop]]))
    expect(facts).toMatchObject({ name: null, version: null })
    expect(icon).toBeNull()
  })

  test('resources that are damaged or too large leave the other facts', async () => {
    for (const table of [Buffer.alloc(0), Buffer.alloc(100), Buffer.alloc(17 * 1024 * 1024)])
      expect((await withIcon(table)).facts).toMatchObject({
        kind: 'apk',
        name: null,
        is_signed: false,
      })
  })
})

describe('a changed Android app is read quickly, or rejected:', () => {
  const table = aResourceTable([
    [{ value: 'Rocket' }],
    [{ value: 'res/i.png', density: 160 }],
    [{ value: '1.4' }],
  ])
  const application: XmlElement = {
    name: 'application',
    attributes: [
      [attribute.label, { resource: 0x7f010000 }],
      [attribute.icon, { resource: 0x7f010001 }],
    ],
  }
  const manifest = aBinaryXml({
    name: 'manifest',
    attributes: [['package', 'a.b']],
    children: [application],
  })
  const resources = (bytes: Buffer) => ({ name: 'resources.arsc', bytes })
  const icon = { name: 'res/i.png', bytes: aPng(48) }
  const whole = withSigningBlock(anApk(manifest, resources(table), icon), {
    0x7109871a: Buffer.alloc(600, 0x30),
  })

  test('as a whole', () => survivesDamage('a.apk', whole))
  test('the manifest', () =>
    survivesDamage('a.apk', manifest, { pack: (it) => anApk(it, resources(table), icon) }))
  test('the resources', () =>
    survivesDamage('a.apk', table, { pack: (it) => anApk(manifest, resources(it), icon) }))
})
