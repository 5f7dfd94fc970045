import { z } from 'zod'
import { endpoint } from '../endpoint'
import { describe, time } from '../fields'

/** The address for links that people copy. */
export interface Share {
  /** A base URL without a final slash. */
  url: string
  /** Whether other devices may reach it. */
  reachable: boolean
}

/** A host to try Slipway on, which forgets everything at each reset. */
export const demoSchema = z.object({
  /** Time of the next reset. */
  resets_at: time,
  /** The accounts for everyone. */
  usernames: z.array(z.string()),
  password: z.string(),
})
export type Demo = z.infer<typeof demoSchema>

export const hostSchema = z.object({
  version: z.string(),
  /** Base URL for links and examples: `http://host:port`, without a final slash. */
  share_url: z.url(),
  reachable: z.boolean(),
  registration_open: z.boolean(),
  /**
   * Whether an account that this caller creates becomes the host account. True at the app window
   * until that account exists.
   */
  needs_setup: z.boolean(),
  /** True while changes fail because of the disk, or for want of a primary; reading continues. */
  read_only: z.boolean(),
  /**
   * Cause: disk full, failing, or not connected (no downloads then), or null. Of several hosts:
   * `database_full`: the disk of their PostgreSQL is full, so that not even deletes can be saved;
   * `no_primary`: this one reaches none that makes changes.
   */
  trouble: z.enum(['full', 'database_full', 'failing', 'missing', 'no_primary']).nullable(),
  /**
   * Browsers send files larger than `above` bytes as resumable uploads, `chunk` bytes per request.
   */
  resumable_uploads: z.object({ above: z.int().positive(), chunk: z.int().positive() }),
  /** Bytes. */
  largest_file: z.int().positive(),
  /** Whether this host sends mail, as for a forgotten password. */
  sends_mail: z.boolean(),
  /** Where passkeys work, best first; empty: this host has no name over HTTPS. */
  passkey_origins: z.array(z.url()),
  /** The provider that signs people in: its name, and where that begins. Null: none. */
  single_sign_on: z.object({ name: z.string(), url: z.url() }).nullable(),
  /** Null: this host is no demo. */
  demo: demoSchema.nullable(),
})
export type Host = z.infer<typeof hostSchema>

export const hostAddressSchema = z.object({
  /** Without a final slash. */
  url: z.url(),
  /** Reach: everyone (`public`), this network by number or name, or less. */
  kind: z.enum(['public', 'wifi', 'network', 'name', 'vpn', 'virtual', 'link_local', 'loopback']),
  /** Whether links may use this address. They use the first offered one. */
  offered: z.boolean(),
  /**
   * Result of a request by the host to itself through this address. No firewall sees that request,
   * so `ok` becomes `visited` only where another device came too. Most routers do not support
   * hairpin NAT, so an address on the internet is not tested like this: it is `proved` by a
   * connection from outside, or `untested`.
   */
  test: z.enum(['ok', 'visited', 'unanswered', 'other_program', 'proved', 'untested']),
  /** Last visit of another device at this address within 7 days, or null. */
  last_visit: time.nullable(),
})
export type HostAddress = z.infer<typeof hostAddressSchema>

/** Firewalls that may block other devices. */
const firewallSchema = z.enum(['windows', 'macos', 'ufw', 'firewalld', 'nftables'])
export type Firewall = z.infer<typeof firewallSchema>

export const host = {
  about: endpoint('GET', '/api/host', {
    summary: 'This host: its version, and the address to share',
    access: 'anyone',
    input: z.object({}),
    reply: z.object({ host: hostSchema }),
  }),
  ping: endpoint('GET', '/api/host/ping', {
    summary:
      'Proves which host replies: a keyed digest of the nonce that only the requesting host ' +
      'can check',
    access: 'anyone',
    input: z.object({
      nonce: describe(
        z.string().regex(/^[\w-]{16,64}$/, 'Send 16 to 64 letters and digits'),
        'An unpredictable text',
        '5f1d7ce02b9a4c38',
      ),
    }),
    reply: z.object({ proof: z.string() }),
  }),
  health: endpoint('GET', '/api/health', {
    summary: 'Whether this host can serve: for load balancers and monitoring, without a rate limit',
    access: 'anyone',
    input: z.object({
      primary: z
        .enum(['', 'true'])
        .optional()
        .describe(
          'Of several hosts, only the one that makes changes answers 200; the others answer 503',
        ),
    }),
    reply: z.object({
      /**
       * `uploads_refused`: all works but uploads, because the disk is almost full. `read_only`:
       * downloads work, but nothing can be saved: the disk is full or failing, or no primary is
       * reached.
       */
      status: z.enum(['ok', 'uploads_refused', 'read_only']),
    }),
    errors: ['read_only'],
  }),
  addresses: endpoint('GET', '/api/host/addresses', {
    summary: 'Every address of this host, best first, each tested by a request to itself',
    access: 'host',
    input: z.object({
      retest: z.stringbool().default(false).describe('Whether each address is to be tested again'),
    }),
    reply: z.object({ addresses: z.array(hostAddressSchema) }),
  }),
  phoneTest: endpoint('POST', '/api/host/addresses/phone-test', {
    summary:
      'Create a link to open with another device of this network, which shows that no ' +
      'firewall blocks it',
    access: 'host',
    input: z.object({}),
    reply: z.object({
      /** Works once. */
      url: z.url(),
      expires_at: time,
      /** The firewall that this system usually has. */
      firewall: firewallSchema,
    }),
    errors: ['not_shared'],
  }),
}
