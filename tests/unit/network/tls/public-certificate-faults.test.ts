import { createPrivateKey } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SmallAuthority } from '../../../support/internet/small-authority'
import { diskError } from '../../data/library/rehearsal-disk'
import { tempDir } from '../../../support/system/temp-dir'
import { CertifiedHost, NAME, serial } from './certified-host'

const host = new CertifiedHost()

describe('keeps the old certificate', () => {
  test('while the authority refuses or is down', async () => {
    const certificate = await host.started()
    await host.order(certificate)
    const { current } = certificate
    const before = await host.stored()
    host.refuseOrders()
    await expect(host.order(certificate)).rejects.toThrow('Out of service')
    host.authority.close()
    await expect(host.order(certificate)).rejects.toMatchObject({ type: 'unreachable' })
    expect(certificate.current).toEqual(current)
    expect(host.offered).toHaveLength(2)
    expect(await host.stored()).toBe(before)
    host.authority = await new SmallAuthority().open()
  })

  test.each(['open', 'write', 'sync', 'rename'] as const)(
    'if the disk is full at %s while it stores the new one',
    async (failing) => {
      const certificate = await host.started()
      await host.order(certificate)
      const before = await host.stored()
      host.disk.before = (operation, path) => {
        if (operation === failing && path.includes('public.pem')) throw diskError('ENOSPC')
      }
      const words =
        'The certificate cannot be stored. The disk of this host is full. Free some space, then try again (ENOSPC)'
      await expect(host.order(certificate)).rejects.toMatchObject({
        type: 'notSaved',
        detail: words,
      })
      expect(await host.stored()).toBe(before)
      expect(host.offered).toHaveLength(2)
      expect((await host.started()).problem).toBe(words)
      host.disk.before = () => undefined
      await host.order(certificate)
      expect(serial(host.offered.at(-1))).not.toBe(serial(host.offered[1]))
    },
  )
})

describe('asks the authority for nothing', () => {
  test('if the disk is full from the start', async () => {
    host.disk.before = () => {
      throw diskError('ENOSPC')
    }
    await expect(host.order(await host.started())).rejects.toMatchObject({ type: 'notSaved' })
    expect(host.authority.received).toEqual([])
    expect(await readdir(host.dir)).toEqual([])
  })

  test('if it cannot read the stored keys, which it does not replace', async () => {
    await host.order(await host.started())
    host.authority.received.length = 0
    // A folder in its place: root may read every file.
    host.dir = await tempDir()
    await mkdir(host.path)
    await expect(host.order(await host.started())).rejects.toMatchObject({
      type: 'notSaved',
      detail: expect.stringMatching('EISDIR'),
    })
    expect(host.warnings).toContain('cannot read the certificate')
    expect(host.authority.received).toEqual([])
    expect((await stat(host.path)).isDirectory()).toBe(true)
  })

  test('while another order is in progress', async () => {
    const certificate = await host.started()
    const first = host.order(certificate)
    await expect(host.order(certificate)).rejects.toThrow('already in progress')
    await first
    expect(host.authority.asked.filter((path) => path === '/finalize')).toHaveLength(1)
  })
})

describe('a damaged file', () => {
  const damages: [string, (text: string) => string][] = [
    ['cut', (text) => text.slice(0, text.length / 2)],
    ['empty', () => ''],
    ['with another key', (text) => text.replace(/([^]*?KEY-----\n)([^]*?KEY-----\n)/, '$2$1')],
    [
      'with a changed certificate',
      (text) => text.replace(/(?<=BEGIN CERTIFICATE-----\n.{100})./s, '!'),
    ],
  ]
  test.each(damages)(
    '%s is logged, kept under another name, and replaced by a new order',
    async (_name, damage) => {
      await host.order(await host.started())
      const damaged = damage(await host.stored())
      await writeFile(host.path, damaged)
      const certificate = await host.started()
      expect(host.warnings).toEqual([
        'the public certificate is damaged: a new one has to be ordered',
      ])
      expect(certificate.current).toBeUndefined()
      expect(host.hoursUntilDue(certificate)).toBe(0)
      await host.order(certificate)
      expect((await host.started()).current?.subject).toBe(NAME)
      const aside = (await readdir(host.dir)).find((name) => name.startsWith('public.invalid-'))!
      expect(await readFile(join(host.dir, aside), 'utf8')).toBe(damaged)
      expect((await stat(join(host.dir, aside))).mode & 0o777).toBe(0o600)
    },
  )

  test('a damaged count of orders allows one at once', async () => {
    await writeFile(
      join(host.dir, 'certificate-orders.json'),
      '{"subject":"builds.example","failures":-1}',
    )
    expect(host.hoursUntilDue(await host.started())).toBe(0)
  })

  test('a file with the key of an account only is no damage: an order failed', async () => {
    host.refuseOrders()
    const certificate = await host.started()
    await expect(host.order(certificate)).rejects.toThrow()
    const key = await host.stored()
    expect(createPrivateKey(key).asymmetricKeyType).toBe('ec')
    await expect(host.order(await host.started())).rejects.toThrow()
    expect(await host.stored()).toBe(key)
    expect(host.warnings).not.toContain(
      'the public certificate is damaged: a new one has to be ordered',
    )
  })
})
