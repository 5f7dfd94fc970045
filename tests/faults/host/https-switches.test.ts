import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { expect, test } from 'vitest'
import { issue, makeAuthority } from '../../../server/libraries/certificates/certificate'
import { Host } from '../../support/world/process'
import { tempDir } from '../../support/system/temp-dir'

const names = { names: ['quay.local'], addresses: ['127.0.0.1'] }

/** The certificate that a host shows to a client that trusts only this authority. */
async function shownTo(ca: string, url: string): Promise<X509Certificate> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), ca })
  await once(socket, 'secureConnect')
  const certificate = socket.getPeerX509Certificate()!
  socket.destroy()
  return certificate
}

test('--https serves by an authority of the host’s own, beside HTTP on the same port', async () => {
  const host = await Host.start(await tempDir(), { also: ['--https'] })
  const ca = await (await fetch(`${host.url}/ca.crt`)).text()
  expect((await shownTo(ca, host.url)).checkHost('localhost')).toBe('localhost')
  expect((await fetch(`${host.url}/api/host`)).status).toBe(200)
  await host.stop()
})

test('--cert and --key serve the pair that they name, and nothing but a pair', async () => {
  const dir = await tempDir()
  const authority = makeAuthority({ names: ['a test'], addresses: [] }, new Date())
  const pair = issue(authority, names, new Date())
  const [cert, key] = [join(dir, 'host.crt'), join(dir, 'host.key')]
  await Promise.all([writeFile(cert, pair.certificate), writeFile(key, pair.key)])
  const host = await Host.start(join(dir, 'data'), { also: ['--cert', cert, '--key', key] })
  const shown = await shownTo(authority.certificate, host.url)
  expect(shown.fingerprint256).toBe(new X509Certificate(pair.certificate).fingerprint256)
  await host.stop()

  const other = issue(authority, names, new Date())
  await writeFile(key, other.key)
  const mixed = Host.start(join(dir, 'data'), { also: ['--cert', cert, '--key', key] })
  await expect(mixed).rejects.toThrow(
    'Slipway cannot start: The key does not belong to the certificate',
  )
  const half = Host.start(join(dir, 'data'), { also: ['--cert', cert] })
  await expect(half).rejects.toThrow('Slipway cannot start: --cert and --key go together')
})
