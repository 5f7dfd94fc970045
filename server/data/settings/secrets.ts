import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { Serial } from '../../core/serial'
import { restrictMode, type Disk } from '../../core/durable-file'
import { StoredFile } from '../stored-file'

const secretsSchema = z.object({
  /** Keys for session cookies. The first one signs, all verify; add a new one in front. */
  sessionKeys: z.array(z.base64url().min(43)).min(1),
  /** Password for updating the name of this host. */
  namePassword: z.string().optional(),
  /** Password at the mail server. */
  mailPassword: z.string().optional(),
  /** Client secret at the provider of single sign-on. */
  ssoClientSecret: z.string().optional(),
  /** Keys of the bucket with public copies, for this endpoint only. Not in backups. */
  mirrorKeys: z
    .object({ endpoint: z.string(), accessKeyId: z.string(), secretAccessKey: z.string() })
    .optional(),
})

export type Secrets = z.infer<typeof secretsSchema>

/** The name of the file in a data folder. */
export const SECRETS = 'secrets.json'
/** The file of `ReleaseKeys`. */
export const RELEASE_KEYS = 'release-keys.json'

const openSecretsFile = (dir: string, disk?: Disk) =>
  new StoredFile(secretsSchema, join(dir, SECRETS), {
    onDamage: 'Restore it, or delete it: then all users have to sign in again.',
    disk,
  })

/**
 * Reads the secrets of this host, or creates them at its first start. Never overwrites an existing
 * file.
 */
export async function loadSecrets(dir: string, disk?: Disk): Promise<Secrets> {
  const file = openSecretsFile(dir, disk)
  const secrets = await file.read()
  if (secrets === null) {
    const created = { sessionKeys: [randomBytes(32).toString('base64url')] }
    await file.write(created)
    return created
  }
  await restrictMode(file.path, 0o600)
  return secrets
}

/** Returns undefined if there are none. Throws if they are damaged. */
export const readSecrets = async (dir: string): Promise<Secrets | undefined> =>
  (await openSecretsFile(dir).read()) ?? undefined

/** The changes of each host's secrets. */
const changes = new WeakMap<Secrets, Serial>()

/** Saves a change of the secrets that the running host uses, after earlier ones. */
export function changeSecrets(
  dir: string,
  secrets: Secrets,
  change: Partial<Omit<Secrets, 'sessionKeys'>>,
  disk: Disk,
): Promise<void> {
  const earlier = changes.get(secrets) ?? new Serial()
  changes.set(secrets, earlier)

  return earlier.run(async () => {
    await openSecretsFile(dir, disk).write({ ...secrets, ...change })
    Object.assign(secrets, change)
  })
}

/**
 * Copies the secrets without the keys of the bucket. Returns false if there are none, or if they
 * are damaged.
 */
export async function copySecrets(from: string, to: string): Promise<boolean> {
  const secrets = await readSecrets(from).catch(() => undefined)
  if (secrets === undefined) return false
  const { mirrorKeys: _, ...others } = secrets
  await openSecretsFile(to).write(others)
  return true
}
