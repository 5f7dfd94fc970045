import { z } from 'zod'

const platformCheckCodes = [
  'android_verification',
  'android_debug_key',
  'android_target_sdk',
  'play_protect',
  'gatekeeper',
  'smartscreen',
  'msix_signature',
  'ios_profile',
] as const

/**
 * What a system asks before it installs or opens a build, such as Gatekeeper of macOS. Listed only
 * where the facts of the package meet its condition.
 */
export const platformCheckSchema = z.object({
  code: z.enum(platformCheckCodes),
  /** The name of the check. */
  title: z.string(),
  /** What people see who install the build. */
  visitors_see: z.string(),
  /** What these people can do. */
  visitors_do: z.string(),
  /** What the publisher can do before publishing. */
  you_do: z.string(),
  /** Values to paste where the publisher needs them. */
  values: z.array(z.object({ label: z.string(), value: z.string() })),
  /** The day on which these sentences were last compared with the rules of the system. */
  as_of: z.iso.date(),
})
export type PlatformCheck = z.infer<typeof platformCheckSchema>
