import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, replaceFile, type Disk } from '../../data/durable-file'

export interface TunnelKey {
  /** In OpenSSH's format. */
  privateKey: string
  /** `ssh-ed25519 AAAA… slipway`. */
  publicLine: string
}

/** What sshd needs in `sshd_config` so that a tunnel is reached from outside and a lost session frees its port. */
export const sshdSettings = ['GatewayPorts clientspecified', 'ClientAliveInterval 15'] as const

/**
 * The line for `authorized_keys` on the server: the key may forward this one port, and neither run commands nor forward
 * anything else to it (sshd(8), AUTHORIZED_KEYS FILE FORMAT).
 */
export const authorizedKeyLine = ({ publicLine }: Pick<TunnelKey, 'publicLine'>, remotePort: number): string =>
  `restrict,port-forwarding,permitlisten="${remotePort}" ${publicLine}`

/** Calls at the same time share one key, instead of creating two. */
const loading = new Map<string, Promise<TunnelKey>>()

/**
 * Loads the Ed25519 key by which SSH servers know this computer, from `tunnel-key` in the data folder, or creates it.
 * No backup contains it. Never overwrites an unreadable file.
 */
export function tunnelKey(dataDir: string, disk: Disk): Promise<TunnelKey> {
  const path = join(dataDir, 'tunnel-key')
  const loaded = loading.get(path) ?? load(path, disk).finally(() => loading.delete(path))
  loading.set(path, loaded)
  return loaded
}

async function load(path: string, disk: Disk): Promise<TunnelKey> {
  // Load on demand: most hosts have no tunnel.
  const { utils } = (await import('ssh2')).default
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) {
    const made = utils.generateKeyPairSync('ed25519', { comment: 'slipway' })
    await replaceFile(path, made.private, disk)
    return { privateKey: made.private, publicLine: made.public }
  }
  await chmod(path, 0o600)
  const key = utils.parseKey(text)
  // The cause would quote the key, and errors are logged.
  if (key instanceof Error || !key.isPrivateKey())
    throw new Error(`${path} is damaged. Restore it, or delete it: then the server has to accept a new key.`)
  return { privateKey: text, publicLine: `${key.type} ${key.getPublicSSH().toString('base64')} slipway` }
}
