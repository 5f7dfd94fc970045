import { z } from 'zod'
import type { Endpoint } from '../../../../server/contract'
import type { Schema } from './parameters'

const samples: Record<string, unknown> = {
  api_key: 'apk_pX2f…',
  author: 'maya',
  owner: 'maya',
  username: 'maya',
  email: 'maya@example.com',
  password: 'correct horse battery',
  current_password: 'correct horse battery',
  new_password: 'a staple of my own',
  title: 'Lantern',
  slug: 'lantern',
  short_description: 'A reading light for your phone',
  description: 'Lantern turns the screen into a warm light.',
  project_url: 'https://lantern.example',
  filename: 'lantern-1.4.0.apk',
  version: '1.4.0',
  platform: 'Android',
  arch: 'arm64',
  channel: 'stable',
  state: 'published',
  notes: '* A warmer light',
  url: '/p/lantern/releases/1.4.0/lantern-1.4.0.apk',
  visibility: 'public',
  feed: 'latest-linux.yml',
  name: 'GitHub Actions',
  content: 'Lantern 1.4.0 is out.',
  message: 'File uploaded successfully!',
  expires_days: 365,
  is_public: true,
  strict: false,
  manage: false,
  channels: ['stable', 'beta'],
  is_host: false,
  search: 'lantern',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  size: 44879052,
  sizeBytes: 44879052,
  total_size: 44879052,
  used: 44879052,
  quota: 104857600,
  percentage: 42.8,
  tier_name: 'Free',
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
  'tus-resumable': '1.0.0',
  'upload-offset': '0',
  'content-type': 'application/offset+octet-stream',
  'upload-length': '44879052',
  'upload-metadata': 'filename bGFudGVybi0xLjQuMC5hcGs=',
  fingerprint: null,
  nonce: '5f1d7ce02b9a4c38',
  invite: 'Zx4tYw9LqM2rB7nKc5VhJg',
  ticket: 'tj8w2k~q7Vt2xN4mC9pRzL5hWb8KdYs3GfJ6eTuA1oXiQnB0Hv',
  token: 'Hs6uQe1RkX3yG9dTw7PmNa',
  code: 'BCDF-GHJK',
  secret: 'Qm7rTz3WkX8vNc2LpY5hDf',
  approve: true,
  address: '192.168.1.7',
  ids: 'f4Tn8cWq2ZpL',
  file_id: 'f4Tn8cWq2ZpL',
  file_ids: ['f4Tn8cWq2ZpL'],
  trash_ids: ['f4Tn8cWq2ZpL'],
  scopes: ['upload'],
  active: true,
  reachable: true,
  registration_open: true,
  share_url: 'http://192.168.1.20:4780',
}
const TIME = '2026-11-20T07:30:00.000Z'
const ids: Record<string, string> = {
  key: 'k7Hq2mXv9RbT',
  tester: 't5Yd9pRw3KfM',
  post: 'p3Wd8nLc5YsJ',
  user: 'u1Za6tGf4QeK',
  upload: 'w6Jc3sEy8HzA',
  project: 'r9Kx2vBn7MwD',
}

export function sampleOf(name: string, schema: Schema = {}): unknown {
  if (name in samples && fits(samples[name], schema)) return samples[name]
  if (schema.properties) return mapProperties(schema)
  if (schema.type === 'array') return schema.items ? [sampleOf(name, schema.items)] : []
  if (schema.format === 'date-time' || name.endsWith('_at') || name === 'buildDate' || name === 'last_used') return TIME
  if (schema.format === 'uri') return 'https://203.0.113.7'
  if (schema.enum) return schema.enum[0]
  if (schema.const !== undefined) return schema.const
  if (/id$/i.test(name)) return ids[name.replace(/_?id$/i, '')] ?? 'f4Tn8cWq2ZpL'
  return schema.anyOf?.[0] ? sampleOf(name, schema.anyOf[0]) : 'text'
}

/** Fields of different calls share names, such as `state`. */
function fits(sample: unknown, schema: Schema): boolean {
  if (schema.enum) return schema.enum.includes(sample)
  if (schema.format === 'uri') return URL.canParse(String(sample))
  return !(Array.isArray(schema.items) || (schema.type === 'array' && !Array.isArray(sample)))
}

export function replyOf({ reply }: Endpoint): string {
  const schema = z.toJSONSchema(reply, { unrepresentable: 'any' }) as Schema
  return JSON.stringify({ success: true, ...mapProperties(schema) }, null, 2)
}

function mapProperties({ properties = {} }: Schema): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, sampleOf(name, schema)]))
}
