import { z } from 'zod'

/** Of other types, and texts that say nothing. */
const STRANGE = ['', ' ', '\u0007!', 7, null, {}]

/** Text by its length alone; no address carries more. */
const LONGEST = 31_000

interface Bounds {
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  enum?: unknown[]
  items?: Bounds
  anyOf?: Bounds[]
}

/** Values just outside of what a schema says about itself. */
function outside({
  minLength = 0,
  maxLength,
  minimum,
  maximum,
  maxItems,
  ...more
}: Bounds): unknown[] {
  const values: unknown[] = (more.anyOf ?? []).flatMap(outside)
  if (minLength > 1) values.push('x'.repeat(minLength - 1))
  if (maxLength !== undefined) values.push('x'.repeat(Math.min(maxLength + 1, LONGEST)))
  // An address has its numbers as text.
  if (minimum !== undefined && minimum > -1e9)
    values.push(minimum - 1, `${minimum - 1}`, minimum + 0.5)
  if (maximum !== undefined && maximum < 1e15) values.push(maximum + 1, `${maximum + 1}`)
  if (maxItems !== undefined) values.push(Array(maxItems + 1).fill('a'.repeat(32)))
  if (more.enum) values.push('another', String(more.enum[0]).toUpperCase())
  if (more.items) values.push([], ...outside(more.items).map((value) => [value]))
  return values
}

/** What only a check of its own refuses, by the name of the field. */
const checked: Readonly<Record<string, readonly unknown[]>> = {
  public_url: [
    'builds.example',
    'ftp://builds.example',
    'https://builds.example/x',
    'https://a@b.example',
  ],
  project_url: ['example.com', 'javascript:alert(1)', 'ftp://a.example'],
  npm_registry: [
    'npm.example',
    'http://npm.example',
    'https://me@npm.example',
    'https://npm.example/?a',
  ],
  python_index: ['python.example', 'ftp://python.example', 'https://python.example/#a'],
  update_feed: ['builds.example', 'http://builds.example/feed'],
  acme_directory: ['acme.example', 'http://acme.example/directory'],
  acme_email: ['maya', 'maya@', '@example.com'],
  mail_server: ['mail.example/x', 'me@mail.example', '-a', 'a b'],
  mail_from: ['maya', 'maya@', 'a@b.example, c@d.example'],
  stun_server: [
    'stun.example',
    'stun.example:0',
    'stun.example:65536',
    'stun:stun.example:3478',
    ':3478',
  ],
  name_update_url: ['members.example', 'http://members.example/nic/update'],
  internet_name: ['https://builds.example', 'builds', '192.0.2.1', '-a.example', 'a.example:443'],
  internet_port: [80],
  tunnel: ['maya@vps.example'],
  tunnel_server: ['maya@vps.example', 'vps.example:22', 'https://vps.example', 'a b'],
  tunnel_user: ['maya@vps', 'a b', '-o'],
  tunnel_fingerprint: ['SHA256:short', `MD5:${'x'.repeat(43)}`],
  endpoint: [
    ...[
      's3.example',
      'ftp://s3.example',
      'https://s3.example/builds',
      'https://me:secret@s3.example',
    ],
    ...['https://s3.example?x', `https://${'x'.repeat(300)}.example`],
  ],
  'endpoint of a browser': ['push.example', 'http://push.example', 'https://a:b@push.example'],
  region: ['eu central'],
  bucket: ['Builds', 'my_builds', '../builds'],
  prefix: ['../', 'a//b', 'a b/'],
  access_key_id: ['two words'],
  secret_access_key: ['two words', 'line\nbreak'],
  url: [
    'ci.example',
    'ftp://ci.example',
    'https://me:secret@ci.example',
    'https://ci.example/#a',
    'https://',
  ],
  trusted_proxies: [['proxy.example'], ['10.0.0.0/33'], '10.0.0.2'],
  webhook_networks: [['lan.example'], ['10.0.0.0/33'], '10.0.0.2'],
  shared_addresses: [['localhost'], [7]],
  referrer: ['news.example/path'],
  channel: ['Beta', 'a--b'],
  pattern: ['builds/*.apk', 'C:\\*'],
  expires_at: ['tomorrow', '2030-01-01'],
  before: ['yesterday', '2030-01-01', '../2030-01-01.0'],
  ids: ['short', `${'a'.repeat(16)},`],
  ticket: ['no ticket!', `1~${'x'.repeat(42)}`],
  picture: ['no id!', `${'a'.repeat(32)}-0.webp`, `${'a'.repeat(32)}-64.png`],
  sha256: ['no digest', 'g'.repeat(64)],
}

/** Invalid values of a field of the contract. */
export function wrongValues(field: string, schema: z.ZodType): unknown[] {
  const bounds = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Bounds
  const values = [...STRANGE, ...outside(bounds)].filter(
    (value) => !schema.safeParse(value).success,
  )
  // A bucket has one, too.
  const name = bounds.pattern?.startsWith('^https:') === true ? `${field} of a browser` : field
  return [...values, ...(checked[name] ?? [])]
}
