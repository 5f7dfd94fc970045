import { createPrivateKey, X509Certificate } from 'node:crypto'
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '../../core/clock'
import type { Log } from '../../core/logging/log'
import { errorCode, replaceFile, type Disk } from '../../data/durable-file'
import type { Names, Pair } from './certificate'

/** The extended key usage (RFC 5280 §4.2.1.12) of servers that speak TLS. */
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'
/** With less left, an authority signs no more, in ms. */
const LEFT_MS = 60 * DAY_MS

interface Place {
  dataDir: string
  /** Its disk. */
  disk: Disk
  log: Pick<Log, 'warn'>
}

/**
 * The authority of this host, key and certificate in one file, so that no power cut can part them. Made when it is
 * first wanted, two months before it ends, and in place of one that may sign for more than servers
 * (docs/decisions/0037-restrict-the-authority-to-local-https.md). Never made over a file that cannot be read.
 */
export async function loadAuthority({ dataDir, disk, log }: Place, names: Names, now: Date): Promise<Pair> {
  const path = join(dataDir, 'authority.pem')
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
  if (text !== undefined) {
    await chmod(path, 0o600)
    const kept = parse(text, path)
    const certificate = new X509Certificate(kept.certificate)
    const leftMs = Date.parse(certificate.validTo) - now.getTime()
    if (leftMs > LEFT_MS && isForServersOnly(certificate)) return kept
    log.warn({ path }, 'the authority is replaced: devices have to trust the new one (see /trust)')
  }
  // Loaded only where HTTPS is on: the ASN.1 library costs tens of milliseconds.
  const { makeAuthority } = await import('./certificate')
  const made = makeAuthority(names, now)
  await replaceFile(path, `${made.certificate}${made.key}`, disk)
  return made
}

/** Authorities of earlier versions could sign for people and programs too. */
function isForServersOnly({ keyUsage }: X509Certificate): boolean {
  // The types promise a list, but a certificate without the extension has none.
  return (keyUsage as string[] | undefined)?.join() === SERVER_AUTH
}

function parse(text: string, path: string): Pair {
  const [certificate = '', key = ''] = text.split(/(?<=-----END CERTIFICATE-----\n)/)
  try {
    if (new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))) return { certificate, key }
  } catch {
    // The cause would quote the key, and errors are logged.
  }
  throw new Error(`${path} is damaged. Restore it, or delete it: then every device has to trust this host again.`)
}
