import { z } from 'zod'
import { bucketSettings } from '../contract/host-settings/bucket'
import { bucketKeyFields } from '../contract/host/bucket'
import { parseJson } from '../core/json'
import { isLoopback } from '../core/net/ip-address'
import { endpointProblem } from '../data/bucket/endpoint-problem'
import { readPrivateFile } from '../data/private-file'
import { inputWords } from '../http/endpoint/input-words'
import { parseAddress } from './forwarding/internal-protocol'

/** Characters of a secret that cannot be found by trying. */
const LEAST_SECRET = 32
/** A name in words of people, logs and `slipway cluster status`. */
const NAME = /^[a-z0-9][a-z0-9.-]{0,62}$/

const MAKE_SECRET = 'Make one with: openssl rand -base64 32'
const FIELDS =
  '{"postgres": "postgresql://…", "host": "NAME", "address": "ADDRESS:PORT", "secret": ' +
  '"SECRET", "bucket": {"endpoint": "https://…", "bucket": "NAME", "access_key_id": "ID", ' +
  '"secret_access_key": "KEY"}}'
const AN_ADDRESS = 'where the other hosts reach this one, such as 10.0.0.5:4405 or [fd00::5]:4405'

const fileSchema = z.strictObject({
  /** `postgresql://user:password@computer/database`. */
  postgres: z.string().max(2000),
  /** The name of this host, by which people tell it from the others. */
  host: z
    .string()
    .regex(NAME, 'host takes a name of small letters, digits, dots and hyphens, such as host-a'),
  /** The same at all hosts, which prove it to each other. */
  secret: z
    .string()
    .min(
      LEAST_SECRET,
      `secret takes at least ${LEAST_SECRET} characters, the same at all hosts. ${MAKE_SECRET}`,
    )
    .max(200),
  /** Where the other hosts reach this one, as `10.0.0.5:4405`. */
  address: z
    .string()
    .refine((address) => parseAddress(address) !== undefined, `address takes ${AN_ADDRESS}`),
  /** The bucket with the bytes of all files. */
  bucket: z.strictObject({
    endpoint: bucketSettings.endpoint.schema,
    bucket: bucketSettings.bucket.schema,
    region: bucketSettings.region.schema.default(bucketSettings.region.default),
    prefix: bucketSettings.prefix.schema.default(bucketSettings.prefix.default),
    path_style: bucketSettings.path_style.schema.default(bucketSettings.path_style.default),
    ...bucketKeyFields,
  }),
})

/** The contents of `--cluster FILE`. Never print them: they have passwords and a secret. */
export type ClusterFile = z.infer<typeof fileSchema>

/**
 * Reads the file of `--cluster`. Throws with a sentence that says what to do and never quotes the
 * file, unless only its owner can read it. `env` has CREDENTIALS_DIRECTORY, where systemd passes on
 * a credential.
 */
export function readClusterFile(path: string, env: NodeJS.ProcessEnv = process.env): ClusterFile {
  const text = readPrivateFile({ name: '--cluster', path, content: 'a password' }, env)
  const result = fileSchema.safeParse(parseJson(text), { error: inputWords })
  const refuse = (wrong: string) => new Error(`--cluster ${path} is not valid: ${wrong}`)

  if (!result.success) {
    const wrong = result.error.issues.map(describeIssue).join('; ')
    throw refuse(`${wrong}. It takes ${FIELDS}`)
  }

  const { postgres, bucket } = result.data
  const wrong = postgresProblem(postgres)
  if (wrong !== undefined) throw refuse(`postgres ${wrong}`)

  const elsewhere = endpointProblem(bucket.endpoint, () => false)
  if (elsewhere !== undefined) throw refuse(`bucket.endpoint: ${elsewhere}`)
  return result.data
}

function describeIssue({ code, path, message, ...issue }: z.core.$ZodIssue): string {
  const [first] = path
  if (first === undefined && code !== 'unrecognized_keys') return 'it must contain one JSON object'
  const field = path.join('.')
  if (code === 'unrecognized_keys' && 'keys' in issue)
    return `there is no setting ${issue.keys.map((key) => [...path, key].join('.')).join(', ')}`
  return first !== 'bucket' || message.startsWith(field) ? message : `${field}: ${message}`
}

/**
 * What is wrong with the address of PostgreSQL; undefined: nothing that can be seen without asking
 * it.
 */
function postgresProblem(postgres: string): string | undefined {
  const url = URL.parse(postgres)
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol))
    return (
      'takes an address such as ' +
      'postgresql://slipway:PASSWORD@db.example.com/slipway?sslmode=verify-full'
    )
  if (url.pathname.length < 2) return 'must end with the name of a database, such as /slipway'

  const mode = url.searchParams.get('sslmode')
  if (mode === 'verify-full' || mode === 'disable') return undefined
  if (mode !== null)
    return 'takes sslmode=verify-full, or sslmode=disable in a network that you trust'

  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  const isHere =
    host === '' ||
    host === 'localhost' ||
    host.startsWith('/') ||
    isLoopback(host.replace(/^\[|\]$/g, ''))

  return isHere
    ? undefined
    : 'is on another computer: add ?sslmode=verify-full, or ?sslmode=disable in a network that ' +
        'you trust'
}
