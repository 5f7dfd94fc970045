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
  /**
   * Services that let the app read the screen or notifications; undefined: read by an earlier
   * version.
   */
  services: z.array(z.enum(['accessibility', 'notifications'])).optional(),
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
  /** Size of the disk that the image fills, in bytes. Null if unknown. */
  size: z.int().nonnegative().nullable(),
  /** Firmware that can boot from it, as far as the start of the image shows. */
  boots: z.array(z.enum(['BIOS', 'UEFI', 'Raspberry Pi'])),
})
export type DiskFacts = z.infer<typeof disk>

const firmware = z.object({
  /**
   * Address range of the bytes: start inclusive, end exclusive, gaps not listed. Null if unknown.
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
  /** Display name: the label or product name. */
  name: short.nullable(),
  /** Application id, bundle id, package name, UpgradeCode, USB ID of a device. */
  app_id: short.nullable(),
  version: z.string().max(64).nullable(),
  /** versionCode or CFBundleVersion; a higher one is newer. */
  build: z.string().max(64).nullable(),
  publisher: short.nullable(),
  /**
   * arm, arm64, x86, x64, or the format's own name for others; for firmware its chips, such as
   * `ESP32-S3`. Empty if it runs on any.
   */
  architectures: z.array(z.string().max(20)).max(8),
  /**
   * Display text, such as `Android 8.0`, `iOS 15.0`, `macOS 11.0`, `Windows 10.0.17763`, `Firefox
   * 115.0`; for a Vagrant box its provider.
   */
  min_os: short.nullable(),
  debug: z.boolean(),
  /** Null: a format without signatures, or one whose signature is not read. */
  is_signed: z.boolean().nullable(),
  /** Holder of the signing certificate. Its presence does not mean that it is trusted. */
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
   * Tool that made a Windows installer. Null for other programs; undefined if an earlier version
   * read the file.
   */
  installer: z.enum(['nsis', 'inno']).nullable().optional(),
  /** Only of macOS apps: the folder of the app in the archive, such as `Rocket.app`. */
  bundle: short.optional(),
  /**
   * Only of macOS packages: whether Apple's notarization ticket is stapled to it. Undefined if an
   * earlier version read the file.
   */
  is_stapled: z.boolean().optional(),
  /** Only of disk images. */
  disk: disk.optional(),
  /** Only of firmware. */
  firmware: firmware.optional(),
})
export type Facts = z.infer<typeof factsSchema>

/** The facts that lists show. A version that a person entered takes precedence over `version`. */
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
  /** Expiry of the provisioning profile. */
  expires_at: time.nullable(),
  /** Number of devices in the provisioning profile. */
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

/** A warning about a new build of a project. */
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
  /** Path of a PNG, or null if there is no icon. */
  icon_url: z.string().nullable(),
  /** The stored bytes are not those of the upload: downloads are refused until that is mended. */
  is_damaged: z.boolean(),
}
