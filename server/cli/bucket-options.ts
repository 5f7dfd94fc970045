import { z } from 'zod'
import type { ServerConfig } from '../compose/server-config'
import { bucketSettings } from '../contract/host-settings/bucket'
import { bucketChoiceSchema, bucketKeyFields } from '../contract/host/bucket'
import { parseJson } from '../core/json'
import { endpointProblem } from '../data/bucket/endpoint-problem'
import { readPrivateFile } from '../data/private-file'
import { inputWords } from '../http/endpoint/input-words'

/** The switch of the headless host about downloads from a bucket, as `parseArgs` takes it. */
export const bucketSwitches = {
  'bucket-config': { type: 'string' },
  /** Its name in version 1.0, which scripts may use. */
  'mirror-config': { type: 'string' },
} as const

const OPTIONAL = Object.keys(bucketSettings).filter(
  (name) => !['endpoint', 'bucket'].includes(name),
)

export const BUCKET_USAGE = `      [--bucket-config FILE]
                                 (sends big public downloads from the bucket in
                                 this JSON file, for this run: endpoint, bucket,
                                 access_key_id, secret_access_key, and, if they
                                 differ from the usual:
                                 ${OPTIONAL.join(', ')})`

/**
 * Reads the file of `--bucket-config`. Throws with a readable message, which never quotes the file.
 */
export function bucketFrom(
  values: Partial<Record<keyof typeof bucketSwitches, string | undefined>>,
): Pick<ServerConfig, 'bucket'> {
  const path = values['bucket-config'] ?? values['mirror-config']
  if (path === undefined) return {}

  const fileSchema = bucketChoiceSchema.extend(bucketKeyFields).strict()
  const text = readPrivateFile({ name: '--bucket-config', path, content: 'keys' })
  const result = fileSchema.safeParse(parseJson(text), { error: inputWords })
  if (!result.success) {
    const wrong = result.error.issues.map(wordsOf).join('; ')
    throw new Error(`--bucket-config ${path} is not valid: ${wrong}`)
  }

  const wrong = endpointProblem(result.data.endpoint, () => false)
  if (wrong !== undefined)
    throw new Error(`--bucket-config ${path} is not valid: endpoint: ${wrong}`)

  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey, ...choice } = result.data
  return { bucket: { ...choice, use: 'on', keys: { accessKeyId, secretAccessKey } } }
}

function wordsOf({ code, path, message, ...issue }: z.core.$ZodIssue): string {
  if (code === 'unrecognized_keys' && 'keys' in issue)
    return `there is no setting ${issue.keys.join(', ')}`
  const field = path.join('.')
  if (field === '') return 'it must contain one JSON object'
  return message.startsWith(field) ? message : `${field}: ${message}`
}
