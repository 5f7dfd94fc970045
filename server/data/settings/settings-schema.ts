import { z } from 'zod'
import { tiers } from '../../contract'
import { feedSchema, proxySchema } from '../../contract/settings'

/** Bytes per second in each direction; null: as fast as it goes. */
const rate = z.int().min(1024).nullable().default(null)

/** How much one caller may ask for. */
const limitsSchema = z.strictObject({
  uploadsPerHour: z.int().min(1).default(100),
  requestsPerHour: z.int().min(1).default(1000),
  /** Failed sign-ins of one account from one address, in 15 minutes. (Of IPv6, a /64 is one address: `networkOf`.) */
  failedSignInsPerAccount: z.int().min(1).default(10),
  /** Failed sign-ins of one account from anywhere, in 15 minutes, beyond which attempts have to wait. */
  failedSignInsPerAccountEverywhere: z.int().min(1).default(20),
  /** Failed sign-ins from one address, in 15 minutes. */
  failedSignInsPerAddress: z.int().min(1).default(50),
  /** Registrations from one address, refused ones too. (Of IPv6, a /48.) */
  registrationsPerHour: z.int().min(1).default(30),
  /** Downloads and uploads at once from one address; behind a proxy or a router many people have the same one. */
  transfersPerAddress: z.int().min(1).default(256),
  /** Open connections of one address. This computer and trusted proxies have no such limit. */
  connectionsPerAddress: z.int().min(1).default(256),
  projectsPerAccount: z.int().min(1).default(500),
  postsPerAccount: z.int().min(1).default(5000),
  apiKeysPerAccount: z.int().min(1).default(100),
  /** One more sign-in ends the oldest session. */
  sessionsPerAccount: z.int().min(1).default(50),
  unfinishedUploadsPerAccount: z.int().min(1).default(50),
  bytesPerSecondPerTransfer: rate,
  bytesPerSecondPerVisitor: rate,
  bytesPerSecondInAll: rate,
})

const httpsSchema = z.strictObject({
  /** `local`: by an authority that this host makes for itself; `own`: by the files below. */
  mode: z.enum(['off', 'local', 'own']).default('off'),
  /** Whole paths of PEM files. */
  certificate: z.string().default(''),
  key: z.string().default(''),
  /** Who comes by HTTP is sent on. */
  redirect: z.boolean().default(true),
})

const desktopSchema = z.strictObject({
  notifyDownloads: z.boolean().default(true),
  notifyCollaborators: z.boolean().default(true),
  notifyBuilds: z.boolean().default(true),
  notifyFailures: z.boolean().default(true),
  startAtLogin: z.boolean().default(false),
  /** Without a window until it is asked for. */
  startHidden: z.boolean().default(false),
  /** Of the window, its menus and dialogs. */
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** Where newer versions of the app are; null: it does not look for them. */
  updateFeed: feedSchema.nullable().default(null),
  /** The person knows that closing the window does not end the host. */
  toldOfTray: z.boolean().default(false),
})

export type Limits = z.infer<typeof limitsSchema>

/** What `settings.json` may hold. What is missing there has its default. */
export const settingsSchema = z.strictObject({
  /** What the host is called in its network; empty: as the machine is. */
  name: z.string().max(40).default(''),
  /** `127.0.0.1` for this computer only, `0.0.0.0` for the network. */
  host: z.string().min(1).default('127.0.0.1'),
  /** Of the network, those of this machine only that stand here; none: all. */
  addresses: z.array(z.union([z.ipv4(), z.ipv6()])).default([]),
  /** 0 lets the system choose. */
  port: z.int().min(0).max(65535).default(4780),
  /** How others reach this host, where that differs from its address. */
  publicUrl: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null),
  registrationOpen: z.boolean().default(true),
  /** The tier of new accounts. */
  defaultTier: z.enum(tiers).default('Free'),
  /** IP addresses and networks of proxies whose word about their clients is taken. */
  trustedProxies: z.array(proxySchema).default([]),
  limits: limitsSchema.prefault({}),
  https: httpsSchema.prefault({}),
  /** What only the desktop app does. */
  desktop: desktopSchema.prefault({}),
})

export type SettingsData = z.infer<typeof settingsSchema>
