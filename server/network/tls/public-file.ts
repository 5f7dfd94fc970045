import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  renameDurably,
  replaceFile,
  unlessMissing,
  type Disk,
  restrictMode,
} from '../../core/durable-file'
import type { Pair } from '../../libraries/certificates/certificate'

/** The content of `public.pem`, in this order. */
export interface PublicKeys {
  /** The directory of the authority, as a line of text: readers of PEM skip it. */
  directory: string
  accountKey: string
  /** Undefined until the first order succeeds. */
  pair: Pair | undefined
}

/**
 * The keys of the public certificate, in one file so that a power cut cannot separate them. As
 * `authority.pem`, it is in no backup and moves with the data folder.
 */
export class PublicFile {
  readonly path: string

  constructor(
    dataDir: string,
    private readonly disk: Disk,
  ) {
    this.path = join(dataDir, 'public.pem')
  }

  /** Returns undefined without a file. Throws if the file cannot be read. */
  async read(): Promise<PublicKeys | 'damaged' | undefined> {
    const text = await unlessMissing(readFile(this.path, 'utf8'))
    if (text === undefined) return undefined
    await restrictMode(this.path, 0o600)
    return keysIn(text)
  }

  /**
   * Returns the stored certificate, or undefined if there is none or it is damaged. Throws if the
   * file cannot be read.
   */
  async pair(): Promise<Pair | undefined> {
    const storedKeys = await this.read()
    return storedKeys === 'damaged' ? undefined : storedKeys?.pair
  }

  async write({ directory, accountKey, pair }: PublicKeys): Promise<void> {
    await replaceFile(
      this.path,
      [`Authority: ${directory}\n`, accountKey, pair?.key, pair?.certificate].join(''),
      this.disk,
    )
  }

  /** Renames a damaged file, because a key in it may still be readable. Returns the new path. */
  async setAside(now: Date): Promise<string> {
    const time = now.toISOString().slice(0, 19).replaceAll(':', '-')
    const path = join(dirname(this.path), `public.invalid-${time}.pem`)
    await renameDurably(this.path, path, this.disk)
    return path
  }
}

function keysIn(text: string): PublicKeys | 'damaged' {
  const [, directory = '', blocks = ''] = /^Authority: (.*)\n([^]*)$/.exec(text) ?? []
  const [accountKey = '', key = '', ...chain] = blocks.split(/(?<=-----END [A-Z ]+-----\n)/)

  try {
    createPrivateKey(accountKey)
    if (key === '') return { directory, accountKey, pair: undefined }

    const [leaf] = chain.map((block) => new X509Certificate(block))
    if (leaf?.checkPrivateKey(createPrivateKey(key)) !== true) return 'damaged'
    return { directory, accountKey, pair: { certificate: chain.join(''), key } }
  } catch {
    // The cause would quote a key.
    return 'damaged'
  }
}
