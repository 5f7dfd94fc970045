import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { tiers } from '../contract'

const account = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  tier: z.enum(tiers),
  isHost: z.boolean(),
  disabledAt: z.string().nullable(),
  createdAt: z.string(),
})

/** What is told of a file beside its bytes: enough to make its record again, its owner's, and those of its projects. */
const sidecarSchema = z.object({
  id: z.string(),
  filename: z.string(),
  size: z.int().nonnegative(),
  sha256: z.string(),
  crc32: z.int().nonnegative().optional(),
  isPublic: z.boolean(),
  version: z.string().nullable(),
  packageVersion: z.string().optional(),
  uploadedAt: z.string(),
  /** Since when it is in the trash. */
  deletedAt: z.string().nullable(),
  owner: account,
  /** Those that offer it, or did when it went into the trash. */
  projects: z.array(
    z.object({
      id: z.string(),
      slug: z.string(),
      title: z.string(),
      isPublic: z.boolean(),
      createdAt: z.string(),
      owner: account,
      link: z.object({
        version: z.string().nullable(),
        platform: z.string().nullable(),
        addedAt: z.string(),
        /** Missing in what earlier versions wrote. */
        position: z.number().optional(),
      }),
    }),
  ),
})

export type Sidecar = z.infer<typeof sidecarSchema>
export type SidecarAccount = z.infer<typeof account>

const checksum = (json: string) => crc32(json).toString(16).padStart(8, '0')

export function encodeSidecar(sidecar: Sidecar): string {
  const json = JSON.stringify(sidecar)
  return `{"crc32":"${checksum(json)}","blob":${json}}\n`
}

/** Undefined for a text that is not, to the last byte, what was written. */
export function decodeSidecar(text: string): Sidecar | undefined {
  const [, crc, json] = /^\{"crc32":"([0-9a-f]{8})","blob":(.*)\}\n$/s.exec(text) ?? []
  if (json === undefined || checksum(json) !== crc) return undefined
  return sidecarSchema.safeParse(JSON.parse(json)).data
}
