import { z } from 'zod'
import type { Endpoint } from '../../../../server/contract'
import { operations } from './operations'

/** The subset of JSON Schema that our inputs use. */
export interface Schema {
  type?: string | string[]
  description?: string
  examples?: unknown[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  default?: unknown
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

/** Values for fields of replies that no call takes. */
const replySamples: Record<string, unknown> = {
  api_key: 'apk_pX2f…',
  app_id: 'org.example.lantern',
  min_os: 'Android 8.0',
  build: '25',
  architectures: ['arm64'],
  author: 'maya',
  owner: 'maya',
  slug: 'lantern',
  url: '/p/lantern/releases/1.4.0/lantern-1.4.0.apk',
  message: 'File uploaded successfully!',
  is_public: true,
  strict: false,
  manage: false,
  channels: ['stable', 'beta'],
  is_host: false,
  size: 44879052,
  sizeBytes: 44879052,
  total_size: 44879052,
  used: 44879052,
  quota: 104857600,
  percentage: 42.8,
  downloads: 128,
  total: 1,
  total_builds: 1,
  views: 512,
  total_downloads: 128,
  versions: ['1.4.0'],
  collaborators: ['sam'],
  role: 'owner',
  expires_at: null,
  authenticated: true,
  has_more: false,
  fingerprint: null,
  approve: true,
  address: '192.168.1.7',
  active: true,
  reachable: true,
  registration_open: true,
  share_url: 'http://192.168.1.20:4780',
}
const TIME = '2026-11-20T07:30:00.000Z'
const ids: Record<string, string> = {
  key: 'k7Hq2mXv9RbT',
  tester: 't5Yd9pRw3KfM',
  preview: 'v7Ba2mKx9QsD',
  share: 's8Kd3nQw6VfL',
  request: 'r2Vb9kXq4LmS',
  report: 'q8Rt5vNw2XbY',
  post: 'p3Wd8nLc5YsJ',
  user: 'u1Za6tGf4QeK',
  upload: 'w6Jc3sEy8HzA',
  project: 'r9Kx2vBn7MwD',
}

/** The examples of the contract by the names of inputs; replies have the same names. */
const inputExamples = new Map<string, unknown>()
for (const { endpoint } of operations) {
  for (const [name, schema] of Object.entries<z.ZodType>({
    ...endpoint.input.shape,
    ...endpoint.headers?.shape,
  })) {
    const [example] = (schema.meta()?.examples ?? []) as unknown[]
    if (example !== undefined && !inputExamples.has(name)) inputExamples.set(name, example)
  }
}

export function chooseSample(name: string, schema: Schema = {}): unknown {
  if (schema.examples) return schema.examples[0]

  const sample = replySamples[name] ?? inputExamples.get(name)
  if (sample !== undefined && fits(sample, schema)) return sample
  // A form field carries a boolean as text.
  if (typeof sample === 'boolean' && schema.type === 'string') return String(sample)
  if (schema.properties) return mapProperties(schema)
  if (schema.type === 'array') return schema.items ? [chooseSample(name, schema.items)] : []
  if (
    schema.format === 'date-time' ||
    name.endsWith('_at') ||
    name === 'buildDate' ||
    name === 'last_used'
  )
    return TIME

  if (schema.format === 'uri') return 'https://203.0.113.7'
  if (schema.enum) return schema.enum[0]
  if (schema.const !== undefined) return schema.const
  const types = typesOf(schema)
  if (types.includes('boolean')) return true
  if (types.includes('integer') || types.includes('number')) return Math.max(schema.minimum ?? 1, 1)
  if (types.includes('object') && !schema.anyOf) return {}
  if (/(^|_)id$|Id$/.test(name)) return ids[name.replace(/_?id$/i, '')] ?? 'f4Tn8cWq2ZpL'

  const [choice] = schema.anyOf ?? schema.oneOf ?? []
  return choice ? chooseSample(name, choice) : 'text'
}

/** Fields of different calls share names, such as `state`. */
function fits(sample: unknown, schema: Schema): boolean {
  if (schema.enum) return schema.enum.includes(sample)
  if (schema.format === 'uri') return URL.canParse(String(sample))
  if (schema.format === 'date-time' && Number.isNaN(Date.parse(String(sample)))) return false

  const { items } = schema
  if (Array.isArray(sample) && items && !sample.every((item) => fits(item, items))) return false

  const required = schema.required ?? schema.anyOf?.[0]?.required ?? []
  const names = isOfType(sample, 'object') ? Object.keys(sample as object) : required
  if (!required.every((name) => names.includes(name))) return false

  const types = [schema, ...(schema.anyOf ?? [])].flatMap(typesOf)
  return types.length === 0 || types.some((type) => isOfType(sample, type))
}

const typesOf = ({ type }: Schema): string[] => (type === undefined ? [] : [type].flat())

/** Whether a value has a type of JSON Schema. */
function isOfType(value: unknown, type: string): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type && value !== null && !Array.isArray(value)
}

export function replyOf({ reply }: Endpoint): string {
  const schema = z.toJSONSchema(reply, { unrepresentable: 'any' }) as Schema
  return JSON.stringify({ success: true, ...mapProperties(schema) }, null, 2)
}

function mapProperties({ properties = {} }: Schema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, chooseSample(name, schema)]),
  )
}
