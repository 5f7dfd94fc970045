import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import type { ServerConfig } from '../compose/server-config'
import { bucketSettings } from '../contract/host-settings/bucket'
import { bucketChoiceSchema, bucketKeyFields } from '../contract/host/bucket'
import { parseJson } from '../core/json'
import { endpointProblem } from '../data/bucket/endpoint-problem'
import { errorCode } from '../core/durable-file'
import { inputWords } from '../http/endpoint/input-words'

/** The switch of the headless host about downloads from a bucket, as `parseArgs` takes it. */
export const bucketSwitches = { 'mirror-config': { type: 'string' } } as const

const OPTIONAL = Object.keys(bucketSettings).filter((name) => !['endpoint', 'bucket'].includes(name))

export const MIRROR_USAGE = `      [--mirror-config FILE]   (sends big public downloads from the bucket in this JSON file, for this run:
                                 endpoint, bucket, access_key_id, secret_access_key, and, if they differ from the usual,
                                 ${OPTIONAL.join(', ')})`

/** Larger files are not a configuration, in bytes. */
const MOST_BYTES = 64 * 1024

/** Reads the file of `--mirror-config`. Throws with a readable message, which never quotes the file. */
export function bucketFrom({
  'mirror-config': path,
}: {
  'mirror-config'?: string | undefined
}): Pick<ServerConfig, 'mirror'> {
  if (path === undefined) return {}
  const fileSchema = bucketChoiceSchema.extend(bucketKeyFields).strict()
  const result = fileSchema.safeParse(parseJson(readConfigFile(path)), { error: inputWords })
  if (!result.success) {
    const wrong = result.error.issues.map(wordsOf).join('; ')
    throw new Error(`--mirror-config ${path} is not valid: ${wrong}`)
  }
  const wrong = endpointProblem(result.data.endpoint, () => false)
  if (wrong !== undefined) throw new Error(`--mirror-config ${path} is not valid: endpoint: ${wrong}`)
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey, ...choice } = result.data
  return { mirror: { ...choice, use: 'on', keys: { accessKeyId, secretAccessKey } } }
}

function wordsOf({ code, path, message, ...issue }: z.core.$ZodIssue): string {
  if (code === 'unrecognized_keys' && 'keys' in issue) return `there is no setting ${issue.keys.join(', ')}`
  const field = path.join('.')
  if (field === '') return 'it must contain one JSON object'
  return message.startsWith(field) ? message : `${field}: ${message}`
}

/** The keys are in it, so other accounts must not be able to read it. */
function readConfigFile(path: string): string {
  const file = open(path)
  try {
    const stats = fstatSync(file)
    const { mode, size, uid, gid } = stats
    if (stats.isDirectory()) throw new Error(`--mirror-config takes a file, and ${path} is a folder`)
    // A credential that systemd passes on: root's, with an access list for the service.
    const isCredential = uid === 0 && gid === 0 && (mode & 0o777) === 0o440
    const isForOthers = process.platform !== 'win32' && (mode & 0o077) !== 0 && !isCredential
    if (isForOthers) {
      throw new Error(`--mirror-config ${path} contains keys, but other accounts can read it. Run: chmod 600 ${path}`)
    }
    if (size > MOST_BYTES) throw new Error(`--mirror-config ${path} is larger than 64 KiB, so it is another file`)
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

function open(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    const why =
      errorCode(error) === 'ENOENT' ? 'it does not exist' : ((error as NodeJS.ErrnoException).code ?? 'unknown')
    throw new Error(`--mirror-config cannot read ${path}: ${why}`, { cause: error })
  }
}
