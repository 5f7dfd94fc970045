import { z } from 'zod'
import { tiers } from '../../contract'
import { internetDefaults, internetFields } from '../../contract/internet-settings'
import { mirrorFields } from '../../contract/mirror'
import { feedSchema, proxySchema } from '../../contract/settings'

/** Bytes per second in each direction; null: no limit. */
const rate = z.int().min(1024).nullable().default(null)

const limitsSchema = z.strictObject({
  uploadsPerHour: z.int().min(1).default(100),
  requestsPerHour: z.int().min(1).default(1000),
  /** Failed sign-ins of one account from one address, per 15 minutes. (For IPv6 per /64: `networkOf`.) */
  failedSignInsPerAccount: z.int().min(1).default(10),
  /** Failed sign-ins of one account from anywhere, per 15 minutes; beyond that, attempts must wait. */
  failedSignInsPerAccountEverywhere: z.int().min(1).default(20),
  failedSignInsPerAddress: z.int().min(1).default(50),
  /** Registrations from one address, including rejected ones. (For IPv6 per /48.) */
  registrationsPerHour: z.int().min(1).default(30),
  /** Concurrent transfers from one address; people behind a proxy or router share one. */
  transfersPerAddress: z.int().min(1).default(256),
  /** Open connections of one address. This computer and trusted proxies are exempt. */
  connectionsPerAddress: z.int().min(1).default(256),
  projectsPerAccount: z.int().min(1).default(500),
  postsPerAccount: z.int().min(1).default(5000),
  apiKeysPerAccount: z.int().min(1).default(100),
  /** A further sign-in ends the oldest session. */
  sessionsPerAccount: z.int().min(1).default(50),
  unfinishedUploadsPerAccount: z.int().min(1).default(50),
  bytesPerSecondPerTransfer: rate,
  bytesPerSecondPerVisitor: rate,
  bytesPerSecondInAll: rate,
})

const httpsSchema = z.strictObject({
  /** `local`: a certificate from this host's own authority; `public`: also the public one; `own`: the files below. */
  mode: z.enum(['off', 'local', 'public', 'own']).default('off'),
  certificate: z.string().default(''),
  key: z.string().default(''),
  redirect: z.boolean().default(true),
})

const desktopSchema = z.strictObject({
  notifyDownloads: z.boolean().default(true),
  notifyCollaborators: z.boolean().default(true),
  notifyBuilds: z.boolean().default(true),
  notifyFailures: z.boolean().default(true),
  startAtLogin: z.boolean().default(false),
  startHidden: z.boolean().default(false),
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** Where to look for app updates; null: off. */
  updateFeed: feedSchema.nullable().default(null),
  /** Whether the owner was informed that closing the window keeps the host running. */
  toldOfTray: z.boolean().default(false),
})

const nameUpdateSchema = z.strictObject({
  way: internetFields.name_update.default(internetDefaults.name_update),
  url: internetFields.name_update_url.default(internetDefaults.name_update_url),
  user: internetFields.name_update_user.default(internetDefaults.name_update_user),
})

const tunnelSchema = z.strictObject({
  server: internetFields.tunnel_server.default(internetDefaults.tunnel_server),
  port: internetFields.tunnel_port.default(internetDefaults.tunnel_port),
  user: internetFields.tunnel_user.default(internetDefaults.tunnel_user),
  remotePort: internetFields.tunnel_remote_port.default(internetDefaults.tunnel_remote_port),
  fingerprint: internetFields.tunnel_fingerprint.default(internetDefaults.tunnel_fingerprint),
})

/** How people outside reach this host. */
export const internetSchema = z.strictObject({
  /** What the host account opened last; a start opens it again. */
  way: z.enum(['off', 'router', 'tunnel']).default('off'),
  /** The directory of the authority whose terms the host account accepted; null: none. */
  termsAccepted: z.string().nullable().default(null),
  /** Opening closed the registration, so Stop opens it again, unless a person has done so. */
  reopensRegistration: z.boolean().default(false),
  name: internetFields.internet_name.default(internetDefaults.internet_name),
  port: internetFields.internet_port.default(internetDefaults.internet_port),
  acmeDirectory: internetFields.acme_directory.default(internetDefaults.acme_directory),
  acmeEmail: internetFields.acme_email.default(internetDefaults.acme_email),
  stunServer: internetFields.stun_server.default(internetDefaults.stun_server),
  nameUpdate: nameUpdateSchema.prefault({}),
  tunnel: tunnelSchema.prefault({}),
})

/** The bucket that sends copies of big public files. Its keys are in `secrets.json`. */
export const mirrorSchema = z.strictObject({
  /** `removing`: switched off, and its copies are being deleted. */
  use: z.enum(['on', 'removing', 'off']).default('on'),
  endpoint: mirrorFields.endpoint,
  region: mirrorFields.region,
  bucket: mirrorFields.bucket,
  prefix: mirrorFields.prefix,
  pathStyle: mirrorFields.path_style,
  leastBytes: mirrorFields.least_bytes,
  seconds: mirrorFields.seconds,
  bytesPerSecond: mirrorFields.bytes_per_second,
})

export type MirrorSettings = z.infer<typeof mirrorSchema>
export type InternetSettings = z.infer<typeof internetSchema>
export type Limits = z.infer<typeof limitsSchema>

/** The content of `settings.json`. Missing settings have their defaults. */
export const settingsSchema = z.strictObject({
  /** The name of the host on its network; empty: the name of the computer. */
  name: z.string().max(40).default(''),
  /** `127.0.0.1` for this computer only, `0.0.0.0` for the network. */
  host: z.string().min(1).default('127.0.0.1'),
  /** Within the network, listen only at these addresses of this computer; empty: all. */
  addresses: z.array(z.union([z.ipv4(), z.ipv6()])).default([]),
  /** 0 lets the system choose. */
  port: z.int().min(0).max(65535).default(4780),
  /** The public address of this host, if it differs. */
  publicUrl: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null),
  registrationOpen: z.boolean().default(true),
  defaultTier: z.enum(tiers).default('Free'),
  /** IP addresses and networks of proxies whose forwarded client addresses are trusted. */
  trustedProxies: z.array(proxySchema).default([]),
  limits: limitsSchema.prefault({}),
  https: httpsSchema.prefault({}),
  desktop: desktopSchema.prefault({}),
  internet: internetSchema.prefault({}),
  /** Downloads from a bucket; null: never set up. */
  mirror: mirrorSchema.nullable().default(null),
})

export type SettingsData = z.infer<typeof settingsSchema>
