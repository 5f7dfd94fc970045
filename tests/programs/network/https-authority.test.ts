import { X509Certificate } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { realDisk } from '../../../server/core/durable-file'
import { issue, makeAuthority, type Pair } from '../../../server/libraries/certificates/certificate'
import { Https } from '../../../server/network/tls/https'
import { served, test } from '../../support/network/https'
import type { TestLog } from '../../support/world/test-log'
import { run } from '../../support/system/debian'

const openssl = (...args: string[]) => run('openssl', args)

const HOST = { names: ['localhost', 'a test'], addresses: ['192.168.1.20', '198.51.100.7'] }

/** The files of an authority, as a thief of its key has them. */
async function stolen(folder: string, { certificate, key } = makeAuthority(HOST, new Date())) {
  const files = { ca: join(folder, 'ca.crt'), key: join(folder, 'ca.key') }
  await Promise.all([writeFile(files.ca, certificate), writeFile(files.key, key)])
  return files
}

/** A certificate with these extensions, signed by the authority with openssl. */
async function signed(
  folder: string,
  { ca, key }: { ca: string; key: string },
  extensions: readonly string[],
) {
  const file = (name: string) => join(folder, name)
  const newKey = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    file('leaf.key'),
  ]
  await openssl('req', '-new', ...newKey, '-subj', '/CN=x', '-out', file('leaf.csr'))
  await writeFile(file('extensions'), ['keyUsage=digitalSignature', ...extensions].join('\n'))
  const by = ['-CA', ca, '-CAkey', key, '-CAcreateserial', '-extfile', file('extensions')]
  await openssl('x509', '-req', '-in', file('leaf.csr'), ...by, '-out', file('leaf.crt'))
  return file('leaf.crt')
}

/** HTTPS of a host with these names, and what it has offered. */
function httpsOf(dataDir: string, names: { names: string[]; addresses: string[] }, log: TestLog) {
  const offered: Pair[] = []
  const choice = {
    https: 'local',
    https_certificate: '',
    https_key: '',
    https_redirect: true,
  } as const
  const https = new Https({
    ...{
      dataDir,
      disk: realDisk,
      log,
      now: () => new Date(),
      choice: () => choice,
      names: () => names,
    },
    publicPair: () => Promise.resolve(undefined),
    secure: ({ own }) => own && offered.push(own),
  })
  return { https, offered }
}

const SERVER = 'extendedKeyUsage=serverAuth'
const isServer = ['-purpose', 'sslserver']

interface Forgery {
  extensions: readonly string[]
  verify: readonly string[]
}

const forgeries: Record<string, Forgery> = {
  'e-mail of a stranger': {
    extensions: ['subjectAltName=email:a@b.c', 'extendedKeyUsage=emailProtection'],
    verify: ['-purpose', 'smimesign'],
  },
  'e-mail of a stranger, for any use': { extensions: ['subjectAltName=email:a@b.c'], verify: [] },
  'e-mail of nobody in particular': {
    extensions: ['extendedKeyUsage=emailProtection'],
    verify: ['-purpose', 'smimesign'],
  },
  clients: { extensions: ['extendedKeyUsage=clientAuth'], verify: ['-purpose', 'sslclient'] },
  'a resource': {
    extensions: ['subjectAltName=URI:https://bank.example/', SERVER],
    verify: isServer,
  },
  'a name of the internet': {
    extensions: ['subjectAltName=DNS:bank.example', SERVER],
    verify: [...isServer, '-verify_hostname', 'bank.example'],
  },
  'an IPv4 address of the internet': {
    extensions: ['subjectAltName=IP:203.0.113.7', SERVER],
    verify: [...isServer, '-verify_ip', '203.0.113.7'],
  },
  'an IPv4 address just beside private ones': {
    extensions: ['subjectAltName=IP:172.32.0.1', SERVER],
    verify: [...isServer, '-verify_ip', '172.32.0.1'],
  },
  'an address beside the public one of the host': {
    extensions: ['subjectAltName=IP:198.51.100.8', SERVER],
    verify: [...isServer, '-verify_ip', '198.51.100.8'],
  },
  'an IPv6 address of the internet': {
    extensions: ['subjectAltName=IP:2001:db8::1', SERVER],
    verify: [...isServer, '-verify_ip', '2001:db8::1'],
  },
}

describe('a stolen key of the authority cannot sign for', () => {
  test.for(Object.entries(forgeries))('%s', async ([, { extensions, verify }], { folder }) => {
    const authority = await stolen(folder)
    const leaf = await signed(folder, authority, extensions)

    const verifying = openssl('verify', ...verify, '-CAfile', authority.ca, leaf)

    const { stderr } = await verifying.catch((error: unknown) => error as { stderr: string })
    await expect(verifying).rejects.toThrow(/verification failed/)
    expect(stderr).toMatch(
      /permitted subtree violation|unsuitable certificate purpose|unsupported certificate purpose/,
    )
  })
})

describe('a host at a local address, or at the public one that it had, is believed', () => {
  const own =
    '198.51.100.7 10.1.2.3 172.31.0.1 192.168.1.20 169.254.1.2 100.64.0.1 127.0.0.1 fd00::1 ::1'.split(
      ' ',
    )
  test.for(own)('%s', async (address, { folder }) => {
    const now = new Date()
    const authority = makeAuthority(HOST, now)
    const { ca } = await stolen(folder, authority)
    const leaf = join(folder, 'leaf.crt')
    await writeFile(
      leaf,
      issue(authority, { names: ['localhost', 'quay.local'], addresses: [address] }, now)
        .certificate,
    )

    for (const name of [
      ['-verify_ip', address],
      ['-verify_hostname', 'quay.local'],
      ['-verify_hostname', 'localhost'],
    ]) {
      const verified = await openssl(
        'verify',
        '-x509_strict',
        '-CAfile',
        ca,
        ...isServer,
        ...name,
        leaf,
      )
      expect(verified.stdout).toContain('OK')
    }
  })
})

test('keeps a later public address out of a certificate', async ({ folder, log }) => {
  const names = { names: ['localhost'], addresses: ['192.168.1.20', '203.0.113.7', '2001:db8::1'] }
  const { https, offered } = httpsOf(folder, names, log)
  await https.refresh()
  const first = https.authority
  names.addresses = ['192.168.1.20', '203.0.113.8', '2001:db8::2', 'fd00::1']
  await https.refresh()

  expect(https.authority?.fingerprint256).toBe(first?.fingerprint256)
  expect(offered.map(({ certificate }) => new X509Certificate(certificate).subjectAltName)).toEqual(
    [
      'DNS:localhost, IP Address:192.168.1.20, IP Address:203.0.113.7, IP Address:2001:DB8:0:0:0:0:0:1',
      'DNS:localhost, IP Address:192.168.1.20, IP Address:FD00:0:0:0:0:0:0:1',
    ],
  )
  expect(https.covers('fd00::1')).toBe(true)
  expect(https.covers('203.0.113.8')).toBe(false)
})

test('keeps an authority that is on disk, and signs by it', async ({ folder, log }) => {
  const file = (name: string) => join(folder, name)
  const made = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    file('ca.key'),
  ]
  const limits =
    'nameConstraints=critical,permitted;DNS:local,permitted;IP:198.51.100.7/255.255.255.255'
  const extensions = ['-addext', SERVER, '-addext', limits]
  await openssl(
    'req',
    '-x509',
    ...made,
    '-out',
    file('ca.crt'),
    '-subj',
    '/CN=Quay',
    '-days',
    '3650',
    ...extensions,
  )
  const before = await readFile(file('ca.crt'), 'utf8')
  await writeFile(file('authority.pem'), before + (await readFile(file('ca.key'), 'utf8')), {
    mode: 0o600,
  })
  const names = { names: ['quay.local'], addresses: ['198.51.100.7', '203.0.113.7'] }
  const { https, offered } = httpsOf(folder, names, log)

  await https.refresh()

  expect(https.authority?.toString()).toBe(before)
  expect(https.covers('198.51.100.7')).toBe(true)
  expect(https.covers('203.0.113.7')).toBe(false)
  await writeFile(file('leaf.crt'), offered[0]!.certificate)
  const name = ['-verify_hostname', 'quay.local']
  const verified = await openssl(
    'verify',
    '-CAfile',
    file('ca.crt'),
    ...isServer,
    ...name,
    file('leaf.crt'),
  )
  expect(verified.stdout).toContain('OK')
})

test('replaces an earlier authority that could sign for any name', async ({
  server,
  folder,
  atWindow: { client },
}) => {
  const [crt, key] = [join(folder, 'old.crt'), join(folder, 'old.key')]
  const limits = 'nameConstraints=critical,permitted;DNS:local,permitted;IP:0.0.0.0/0.0.0.0'
  const made = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    key,
    '-out',
    crt,
  ]
  await openssl(
    'req',
    '-x509',
    ...made,
    '-subj',
    '/CN=Slipway on old',
    '-days',
    '3650',
    '-addext',
    limits,
  )
  const path = join(server.dataDir, 'authority.pem')
  const old = await readFile(crt, 'utf8')
  await writeFile(path, old + (await readFile(key, 'utf8')), { mode: 0o600 })

  await client.settings.change({ https: 'local' })

  const now = server.inside.https.authority!
  expect(now.fingerprint256).not.toBe(new X509Certificate(old).fingerprint256)
  expect((await served(server)).verify(now.publicKey)).toBe(true)
  const kept = await readFile(path, 'utf8')
  expect(kept).toContain(now.toString())
  expect(kept).not.toContain(old)

  await server.inside.https.refresh()
  expect(server.inside.https.authority!.fingerprint256).toBe(now.fingerprint256)
})
