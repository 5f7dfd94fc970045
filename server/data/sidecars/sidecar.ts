import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { time } from '../../contract/fields'
import { accountSchema, fileSchema, projectSchema, releaseSchema } from '../repair/record-schemas'

/** What is told of a file beside its bytes: enough to make its record again, its owner's, and those of its projects. */
const sidecarSchema = fileSchema.extend({
  /** Since when it is in the trash. */
  deletedAt: time.nullable(),
  owner: accountSchema,
  /** Those that offer it, or did when it went into the trash. */
  projects: z.array(
    projectSchema.extend({
      owner: accountSchema,
      // What earlier versions wrote has no position.
      link: releaseSchema.partial({ position: true }),
    }),
  ),
})

export type Sidecar = z.infer<typeof sidecarSchema>
export type SidecarAccount = z.infer<typeof accountSchema>

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
