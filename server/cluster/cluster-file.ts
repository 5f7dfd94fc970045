import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { z } from 'zod'
import { errorCode } from '../core/durable-file'
import { parseJson } from '../core/json'
import { isLoopback } from '../core/net/ip-address'
import { inputWords } from '../http/endpoint/input-words'

/** Larger files are not of ours, in bytes. */
const MOST_BYTES = 64 * 1024
/** A name in words of people, logs and `slipway cluster status`. */
const NAME = /^[a-z0-9][a-z0-9.-]{0,62}$/

const fileSchema = z.strictObject({
  /** `postgresql://user:password@computer/database`. */
  engine: z.string().max(2000),
  /** The name of this host, by which people tell it from the others. */
  host: z.string().regex(NAME, 'host takes a name of small letters, digits, dots and hyphens, such as host-a'),
})

/** The contents of `--cluster FILE`. Never print them: the address contains a password. */
export type ClusterFile = z.infer<typeof fileSchema>

/**
 * Reads the file of `--cluster`. Throws with a sentence that says what to do and never quotes the file, unless only its
 * owner can read it. `env` has CREDENTIALS_DIRECTORY, where systemd passes on a credential.
 */
export function readClusterFile(path: string, env: NodeJS.ProcessEnv = process.env): ClusterFile {
  const result = fileSchema.safeParse(parseJson(readPrivate(path, env['CREDENTIALS_DIRECTORY'])), { error: inputWords })
  if (!result.success) {
    const wrong = result.error.issues.map(describeIssue).join('; ')
    throw new Error(`--cluster ${path} is not valid: ${wrong}. It takes {"engine": "postgresql://…", "host": "NAME"}`)
  }
  const wrong = engineProblem(result.data.engine)
  if (wrong !== undefined) throw new Error(`--cluster ${path} is not valid: engine ${wrong}`)
  return result.data
}

function describeIssue({ code, path, message, ...issue }: z.core.$ZodIssue): string {
  if (code === 'unrecognized_keys' && 'keys' in issue) return `there is no setting ${issue.keys.join(', ')}`
  return path.length === 0 ? 'it must contain one JSON object' : message
}

/** What is wrong with the address of an engine; undefined: nothing that can be seen without asking it. */
function engineProblem(engine: string): string | undefined {
  const url = URL.parse(engine)
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol))
    return 'takes an address such as postgresql://slipway:PASSWORD@db.example.com/slipway?sslmode=verify-full'
  if (url.pathname.length < 2) return 'must end with the name of a database, such as /slipway'
  const mode = url.searchParams.get('sslmode')
  if (mode === 'verify-full' || mode === 'disable') return undefined
  if (mode !== null) return 'takes sslmode=verify-full, or sslmode=disable in a network that you trust'
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  const isHere = host === '' || host === 'localhost' || host.startsWith('/') || isLoopback(host.replace(/^\[|\]$/g, ''))
  return isHere
    ? undefined
    : 'is on another computer: add ?sslmode=verify-full, or ?sslmode=disable in a network that you trust'
}

/** The address has a password, so other accounts must not be able to read it. */
function readPrivate(path: string, credentials: string | undefined): string {
  const file = open(path)
  try {
    const stats = fstatSync(file)
    if (stats.isDirectory()) throw new Error(`--cluster takes a file, and ${path} is a folder`)
    const isCredential = credentials !== undefined && resolve(path).startsWith(resolve(credentials) + sep)
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0 && !isCredential)
      throw new Error(`--cluster ${path} contains a password, but other accounts can read it. Run: chmod 600 ${path}`)
    if (stats.size > MOST_BYTES) throw new Error(`--cluster ${path} is larger than 64 KiB, so it is another file`)
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

function open(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (cause) {
    const why = errorCode(cause) === 'ENOENT' ? 'it does not exist' : (errorCode(cause) ?? 'unknown')
    throw new Error(`--cluster cannot read ${path}: ${why}`, { cause })
  }
}
