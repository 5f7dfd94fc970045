import { randomBytes } from 'node:crypto'
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { errorCode, replaceFile, type Disk } from '../../core/durable-file'

const secretsSchema = z.object({
  /** Keys for session cookies. The first one signs, all verify; add a new one in front. */
  sessionKeys: z.array(z.base64url().min(43)).min(1),
  /** For updating the name of this host. */
  namePassword: z.string().optional(),
  /** For the bucket with copies of public files, at this endpoint only. In no backup. */
  mirrorKeys: z.object({ endpoint: z.string(), accessKeyId: z.string(), secretAccessKey: z.string() }).optional(),
})

export type Secrets = z.infer<typeof secretsSchema>

/** The name of the file in a data folder. */
export const SECRETS = 'secrets.json'

const pathIn = (dir: string) => join(dir, SECRETS)

/** Reads the secrets of this host, or creates them at its first start. Never overwrites an existing file. */
export async function loadSecrets(dir: string): Promise<Secrets> {
  const secrets = await readSecrets(dir)
  if (secrets === undefined) return createSecrets(pathIn(dir))
  await chmod(pathIn(dir), 0o600)
  return secrets
}

/** Undefined if there are none. Throws if they are damaged. */
export async function readSecrets(dir: string): Promise<Secrets | undefined> {
  const text = await readFile(pathIn(dir), 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : parseSecrets(text, pathIn(dir))
}

/** The last change of each host's secrets. */
const changes = new WeakMap<Secrets, Promise<void>>()

/** Saves a change of the secrets that the running host uses, after earlier ones. */
export function changeSecrets(
  dir: string,
  secrets: Secrets,
  change: Pick<Secrets, 'namePassword'> | Pick<Secrets, 'mirrorKeys'>,
  disk: Disk,
): Promise<void> {
  const save = async () => {
    await replaceFile(pathIn(dir), `${JSON.stringify({ ...secrets, ...change }, null, 2)}\n`, disk)
    Object.assign(secrets, change)
  }
  const saved = (changes.get(secrets) ?? Promise.resolve()).then(save)
  changes.set(
    secrets,
    saved.catch(() => undefined),
  )
  return saved
}

/** Copies the secrets without the keys of the bucket. Returns false if there are none, or if they are damaged. */
export async function copySecrets(from: string, to: string): Promise<boolean> {
  const secrets = await readSecrets(from).catch(() => undefined)
  if (secrets === undefined) return false
  const { mirrorKeys: _, ...others } = secrets
  await replaceFile(pathIn(to), `${JSON.stringify(others, null, 2)}\n`)
  return true
}

async function createSecrets(path: string): Promise<Secrets> {
  const secrets = { sessionKeys: [randomBytes(32).toString('base64url')] }
  await replaceFile(path, `${JSON.stringify(secrets, null, 2)}\n`)
  return secrets
}

function parseSecrets(text: string, path: string): Secrets {
  try {
    return secretsSchema.parse(JSON.parse(text))
  } catch {
    // The cause would quote the file, and errors are logged.
    throw new Error(`${path} is damaged. Restore it, or delete it: then all users have to sign in again.`)
  }
}
