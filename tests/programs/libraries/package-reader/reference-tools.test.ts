import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { named, noRoot } from '../../../support/system/rounds'
import { factsOf } from '../../../support/looks'
import { anIpa } from '../../../support/packages'
import { needTools, run, unpacked } from '../../../support/system/debian'

let folder: string

async function facts(path: string) {
  const found = await factsOf(path, await readFile(path))
  if (!found || typeof found === 'string') throw new Error(found ?? 'This is no package')
  return found
}

describe.skipIf(noRoot)('equals what other tools read', () => {
  beforeAll(async () => {
    await needTools('plistutil', 'rpmbuild', 'xorriso', 'qemu-img')
    folder = await mkdtemp(join(tmpdir(), 'slipway-tools-'))
  }, 180_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test.each(['noarch', 'x86_64', 'aarch64'])(named('rpm, of a package for %s'), async (target) => {
    const head = `Name: rocket\nVersion: 2.0~rc1\nRelease: 1\nEpoch: 3\nVendor: Röcket "Inc."\nSummary: Launches\nLicense: MIT`
    await writeFile(join(folder, 'rocket.spec'), `${head}\n%description\nLaunches things\n%files\n`)
    const build = ['-bb', '--target', target, '--define', `_topdir ${folder}`, 'rocket.spec']
    await run('rpmbuild', build, { cwd: folder })
    const path = join(folder, `RPMS/${target}/rocket-2.0~rc1-1.${target}.rpm`)
    const query = [
      '-qp',
      '--nosignature',
      '--qf',
      '%{NAME}|%{EPOCH}:%{VERSION}-%{RELEASE}|%{VENDOR}|%{ARCH}',
      path,
    ]
    const [app_id, version, publisher, architecture = ''] = (await run('rpm', query)).stdout.split(
      '|',
    )

    const words: Record<string, string[]> = { noarch: [], x86_64: ['x64'], aarch64: ['arm64'] }
    expect(await facts(path)).toMatchObject({
      app_id,
      version,
      publisher,
      architectures: words[architecture],
    })
  })

  test(named('plistutil, of binary property lists'), async () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .map((it) => it.replaceAll(/[<&>]/g, '+'))
    const strings = [
      'CFBundleIdentifier',
      'CFBundleDisplayName',
      'CFBundleShortVersionString',
      'CFBundleVersion',
    ]
    const record = fc.record(Object.fromEntries(strings.map((name) => [name, text])))
    const property = fc.asyncProperty(record, fc.array(fc.integer()), async (values, numbers) => {
      const pairs = Object.entries(values).map(
        ([name, value]) => `<key>${name}</key><string>${value}</string>`,
      )
      const more = `<key>Other</key><array>${numbers.map((it) => `<integer>${it}</integer>`).join('')}<true/></array>`
      const xml = `<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>${more}${pairs.join('')}</dict></plist>`
      const [from, to] = [join(folder, 'Info.plist'), join(folder, 'binary.plist')]
      await writeFile(from, xml)
      await run('plistutil', ['-i', from, '-f', 'bin', '-o', to])
      const binary = await readFile(to)
      expect(binary.subarray(0, 8).toString()).toBe('bplist00')
      expect(await factsOf('a.ipa', anIpa(binary))).toEqual(
        await factsOf('a.ipa', anIpa(Buffer.from(xml))),
      )
    })
    await fc.assert(property, { numRuns: 30 })
  })

  test(
    named('xorriso, of bootable images of Debian'),
    async () => {
      const { 'memtest86+': images } = await unpacked('memtest86+')
      for (const path of [
        'memtest86+/memtest86+x64.iso',
        'ipxe/ipxe.iso',
        'grub-rescue/grub-rescue-cdrom.iso',
      ]) {
        const iso = images.file(`usr/lib/${path}`)
        const { stdout } = await run('xorriso', [
          '-indev',
          iso,
          '-pvd_info',
          '-report_el_torito',
          'plain',
        ])
        const boots = [
          ...new Set(
            [...stdout.matchAll(/^El Torito boot img :\s+\d+\s+(\w+)/gm)].map(([, name]) => name),
          ),
        ]
        const one = (name: string) =>
          new RegExp(`^${name}\\s*: *(.+)$`, 'm').exec(stdout)?.[1]?.trim() || null

        expect(await facts(iso)).toMatchObject({
          name: one('Volume Id'),
          publisher: one('Publisher Id'),
          disk: { boots },
        })
      }
    },
    120_000,
  )

  test(named('qemu-img, of virtual disks'), async () => {
    for (const [kind, ...options] of [
      ['qcow2'],
      ['vmdk'],
      ['vmdk', '-o', 'subformat=streamOptimized'],
    ]) {
      const path = join(folder, `disk.${kind}`)
      await run('qemu-img', ['create', '-q', '-f', `${kind}`, ...options, path, '5000M'])
      const { stdout } = await run('qemu-img', ['info', '--output=json', path])
      const { 'virtual-size': size } = JSON.parse(stdout) as { 'virtual-size': number }
      expect(await facts(path)).toMatchObject({ kind, disk: { size } })
    }
  })
})
