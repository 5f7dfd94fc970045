import { createPrivateKey, X509Certificate } from 'node:crypto'
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, replaceFile, type Disk } from '../storage/durable-file'
import { makeAuthority, type Pair } from './certificate'

const DAY_MS = 86_400_000
/** With less left, an authority signs no more, in ms. */
const LEFT_MS = 60 * DAY_MS

/**
 * The authority of this host, key and certificate in one file, so that no power cut can part them. Made when it is
 * first wanted, and anew two months before it ends. Never made over a file that cannot be read.
 */
export async function loadAuthority(dir: string, host: string, now: Date, disk: Disk): Promise<Pair> {
  const path = join(dir, 'authority.pem')
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
  if (text !== undefined) {
    await chmod(path, 0o600)
    const kept = parse(text, path)
    if (Date.parse(new X509Certificate(kept.certificate).validTo) - now.getTime() > LEFT_MS) return kept
  }
  const made = makeAuthority(host, now)
  await replaceFile(path, `${made.certificate}${made.key}`, disk)
  return made
}

function parse(text: string, path: string): Pair {
  const [certificate = '', key = ''] = text.split(/(?<=-----END CERTIFICATE-----\n)/)
  try {
    if (new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))) return { certificate, key }
  } catch {
    // The cause would quote the key, and errors are logged.
  }
  throw new Error(`${path} is damaged. Restore it, or delete it: then every device has to trust this host anew.`)
}
