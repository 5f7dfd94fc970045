import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '../../core/clock'
import type { Log } from '../../core/logging/log'
import { replaceFile, unlessMissing, type Disk, restrictMode } from '../../core/durable-file'
import type { Names, Pair } from '../../libraries/certificates/certificate'

/** The extended key usage for TLS servers (RFC 5280 §4.2.1.12). */
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'
/** An authority with less time left is replaced, in ms. */
const LEFT_MS = 60 * DAY_MS

interface Place {
  dataDir: string
  disk: Disk
  log: Pick<Log, 'warn'>
}

/**
 * Loads the certificate authority of this host: key and certificate in one file, so that a power
 * cut cannot separate them. Created on first use, two months before it expires, and to replace one
 * that may sign for more than servers
 * (docs/decisions/0037-restrict-the-authority-to-local-https.md). Never overwrites an unreadable
 * file.
 */
export async function loadAuthority(
  { dataDir, disk, log }: Place,
  names: Names,
  now: Date,
): Promise<Pair> {
  const path = join(dataDir, 'authority.pem')
  const text = await unlessMissing(readFile(path, 'utf8'))
  if (text !== undefined) {
    await restrictMode(path, 0o600)
    const storedPair = parse(text, path)
    const certificate = new X509Certificate(storedPair.certificate)
    const leftMs = Date.parse(certificate.validTo) - now.getTime()
    if (leftMs > LEFT_MS && isForServersOnly(certificate)) return storedPair
    log.warn({ path }, 'the authority is replaced: devices have to trust the new one (see /trust)')
  }

  // Load on demand: the ASN.1 library takes tens of milliseconds.
  const { makeAuthority } = await import('../../libraries/certificates/certificate')
  const made = makeAuthority(names, now)
  await replaceFile(path, `${made.certificate}${made.key}`, disk)
  return made
}

/** Authorities of earlier versions could also sign for people and programs. */
function isForServersOnly({ keyUsage }: X509Certificate): boolean {
  // The types promise a list, but a certificate without the extension has none.
  return (keyUsage as string[] | undefined)?.join() === SERVER_AUTH
}

function parse(text: string, path: string): Pair {
  const [certificate = '', key = ''] = text.split(/(?<=-----END CERTIFICATE-----\n)/)
  try {
    if (new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key)))
      return { certificate, key }
  } catch {
    // The cause would quote the key, and errors are logged.
  }
  throw new Error(
    `${path} is damaged. Restore it, or delete it: then every device has to trust this host again.`,
  )
}
