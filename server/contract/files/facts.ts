import { z } from 'zod'
import { time } from '../fields'
import { packageKinds } from './formats'

const short = z.string().max(100)

const android = z.object({
  /** API levels. */
  min_sdk: z.int().nullable(),
  target_sdk: z.int().nullable(),
  /** Full names, without those that others imply. */
  permissions: z.array(short).max(500),
  /** APK Signature Schemes: 1, 2, 3, 31 (v3.1). */
  signature_schemes: z.array(z.int()),
})

const profile = z.object({
  kind: z.enum(['development', 'ad-hoc', 'enterprise', 'app-store']),
  team: short.nullable(),
  expires_at: time,
  /** Registered devices; null: any device. */
  devices: z.int().nullable(),
})

const apple = z.object({
  devices: z.array(short).max(8),
  profile: profile.nullable(),
  /** Keys of the entitlements in the profile; undefined: read by an earlier version. */
  entitlements: z.array(short).max(100).optional(),
  /** The personal data that an app asks for, by keys such as `NSCameraUsageDescription`. */
  privacy: z
    .array(z.object({ key: short, reason: short }))
    .max(100)
    .optional(),
})

const disk = z.object({
  /** Of the disk that it fills, in bytes; null: unknown. */
  size: z.int().nonnegative().nullable(),
  /** What starts a computer from it, as far as it can be seen without unpacking all of it. */
  boots: z.array(z.enum(['BIOS', 'UEFI', 'Raspberry Pi'])),
})
export type DiskFacts = z.infer<typeof disk>

const firmware = z.object({
  /**
   * Where its bytes go: the first address, and the one behind the last; gaps are not told. Null:
   * unknown.
   */
  addresses: z.object({ start: z.int().nonnegative(), end: z.int().nonnegative() }).nullable(),
})
export type FirmwareFacts = z.infer<typeof firmware>

/**
 * The facts that a package states about itself. None is verified; null: the package does not state
 * it.
 */
export const factsSchema = z.object({
  kind: z.enum(packageKinds),
  /** For people: the label, the product name. */
  name: short.nullable(),
  /** Application id, bundle id, package name, UpgradeCode, USB ID of a device. */
  app_id: short.nullable(),
  version: z.string().max(64).nullable(),
  /** versionCode or CFBundleVersion; a higher one is newer. */
  build: z.string().max(64).nullable(),
  publisher: short.nullable(),
  /**
   * arm, arm64, x86, x64, or what the format calls others; of firmware, its chips: `ESP32-S3`.
   * Empty: any.
   */
  architectures: z.array(z.string().max(20)).max(8),
  /**
   * In words: `Android 8.0`, `iOS 15.0`, `macOS 11.0`, `Windows 10.0.17763`, `Firefox 115.0`; the
   * provider of a box.
   */
  min_os: short.nullable(),
  debug: z.boolean(),
  /** Null: a format without signatures, or one whose signature is not read. */
  is_signed: z.boolean().nullable(),
  /** Of the signing certificate: present, not trusted. */
  signer: z
    .object({
      /** SHA-256 of the certificate, 64 hexadecimal digits. */
      sha256: z.string(),
      name: short.nullable(),
      expires_at: time.nullable(),
    })
    .nullable(),
  android: android.nullable(),
  apple: apple.nullable(),
  /**
   * Only of Windows programs: what made the installer; null: it is none of these; undefined: read
   * by an earlier version.
   */
  installer: z.enum(['nsis', 'inno']).nullable().optional(),
  /** Only of macOS apps: the folder of the app in the archive, such as `Rocket.app`. */
  bundle: short.optional(),
  /** Only of disk images. */
  disk: disk.optional(),
  /** Only of firmware. */
  firmware: firmware.optional(),
})
export type Facts = z.infer<typeof factsSchema>

/** The facts that lists show. What a person entered counts more than `version`. */
const factsSummarySchema = z.object({
  kind: z.enum(packageKinds),
  app_id: short.nullable(),
  version: z.string().nullable(),
  build: z.string().nullable(),
  min_os: short.nullable(),
  /** Empty: any. */
  architectures: z.array(z.string()),
  debug: z.boolean(),
  is_signed: z.boolean().nullable(),
  /** The first 16 hexadecimal digits of the SHA-256 of the signing certificate. */
  signer: z.string().nullable(),
  /** When the provisioning profile expires. */
  expires_at: time.nullable(),
  /** How many devices the provisioning profile names. */
  devices: z.int().nullable(),
})
export type FactsSummary = z.infer<typeof factsSummarySchema>

export const warningCodes = [
  'other_app_id',
  'other_signer',
  'build_not_higher',
  'same_version',
  'debug_build',
  'unsigned',
  'profile_expired',
] as const

/** Something that a person should know about a new build of a project. */
export const buildWarningSchema = z.object({
  code: z.enum(warningCodes),
  /** A sentence for people. */
  message: z.string(),
})
export type BuildWarning = z.infer<typeof buildWarningSchema>

/** Compares the build with earlier ones of its project; empty without a project. */
export const warnings = z.array(buildWarningSchema)

/** The facts of a file's package, in files, links and builds. */
export const packageFields = {
  /** Null: the file is no package, or it has not been read or cannot be read. */
  facts: factsSummarySchema.nullable(),
  /** Path of a PNG; null: there is none. */
  icon_url: z.string().nullable(),
}
