import {
  randomBytes,
  scrypt as scryptCallback,
  timingSafeEqual,
  type ScryptOptions,
} from 'node:crypto'
import { promisify } from 'node:util'
import { FairQueue } from './fair-queue'

const scrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scryptCallback)

/** OWASP parameters for scrypt: N = 2^17, r = 8, p = 1. */
const LN = 17
const MAX_MEMORY = 256 * 1024 * 1024
const KEY_BYTES = 32
const SALT_BYTES = 16
/** Hashing shares libuv's threads with file I/O: more at once would stop downloads. */
const ROOM = { atOnce: 2, waiting: 64, waitingOfOne: 4 }

/**
 * Hashes and checks passwords, two at a time, round-robin between networks (`toNetwork`). Throws
 * like `FairQueue.run`.
 */
export class Passwords {
  readonly #queue: FairQueue
  /** Checked for accounts that do not exist, for equal timing. */
  readonly #hashOfNone: string

  /** `ln`: binary logarithm of scrypt's N. `waitingOfOne`: waiting jobs per network. */
  constructor(
    private readonly ln = LN,
    waitingOfOne = ROOM.waitingOfOne,
  ) {
    this.#queue = new FairQueue({ ...ROOM, waitingOfOne })
    this.#hashOfNone = formatPhc(ln, randomBytes(SALT_BYTES), randomBytes(KEY_BYTES))
  }

  /** Returns scrypt in PHC form: `$scrypt$ln=17,r=8,p=1$salt$hash`. */
  async hash(password: string, network: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES)
    const key = await this.#queue.run(network, () =>
      derive(password, salt, toScryptOptions(this.ln)),
    )
    return formatPhc(this.ln, salt, key)
  }

  /** Takes equally long for an account that does not exist (`phc` undefined). */
  async verify(password: string, phc: string | undefined, network: string): Promise<boolean> {
    const { salt, key, cost } = parse(phc ?? this.#hashOfNone)
    const derivedKey = await this.#queue.run(network, () => derive(password, salt, cost))
    return timingSafeEqual(derivedKey, key) && phc !== undefined
  }
}

const derive = (password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> =>
  scrypt(password.normalize('NFC'), salt, KEY_BYTES, cost)

function parse(phc: string): { salt: Buffer; key: Buffer; cost: ScryptOptions } {
  const parts = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(phc)
  if (!parts) throw new Error('A stored password hash is not scrypt in PHC form')
  const [, ln, r, p, salt = '', key = ''] = parts
  return {
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
    cost: toScryptOptions(Number(ln), Number(r), Number(p)),
  }
}

function toScryptOptions(ln: number, r = 8, p = 1): ScryptOptions {
  return { N: 2 ** ln, r, p, maxmem: MAX_MEMORY }
}

function formatPhc(ln: number, salt: Buffer, key: Buffer): string {
  const toUnpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$scrypt$ln=${ln},r=8,p=1$${toUnpadded(salt)}$${toUnpadded(key)}`
}
