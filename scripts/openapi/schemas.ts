import { z } from 'zod'
import { problemSchema } from '../../server/contract'
import {
  activitySchema,
  finishedTransferSchema,
  transferSchema,
} from '../../server/contract/host/activity'
import { userSchema } from '../../server/contract/accounts/accounts'
import { apiKeySchema } from '../../server/contract/accounts/api-keys'
import { buildSchema, buildStatsSchema } from '../../server/contract/files/builds'
import { postSchema } from '../../server/contract/projects/posts'
import { fileSchema } from '../../server/contract/files/files'
import { hostAddressSchema, hostSchema } from '../../server/contract/host/host'
import { personSchema } from '../../server/contract/accounts/people'
import { linkedFileSchema } from '../../server/contract/projects/linked-files'
import { projectSchema } from '../../server/contract/projects/projects'
import { projectDaySchema } from '../../server/contract/projects/statistics'
import { releaseSchema } from '../../server/contract/projects/releases'
import { storageStatsSchema } from '../../server/contract/files/storage'
import { trashedSchema } from '../../server/contract/files/trash'
import { unfinishedUploadSchema } from '../../server/contract/files/uploads'

export type JsonSchema = z.core.JSONSchema.JSONSchema

/** Schemas that are written once under components.schemas and referenced elsewhere. */
const nouns = {
  Activity: activitySchema,
  ApiKey: apiKeySchema,
  Build: buildSchema,
  BuildStats: buildStatsSchema,
  File: fileSchema,
  FinishedTransfer: finishedTransferSchema,
  Host: hostSchema,
  HostAddress: hostAddressSchema,
  LinkedFile: linkedFileSchema,
  Person: personSchema,
  Post: postSchema,
  Problem: problemSchema,
  Project: projectSchema,
  ProjectDay: projectDaySchema,
  Release: releaseSchema,
  StorageStats: storageStatsSchema,
  Transfer: transferSchema,
  Trashed: trashedSchema,
  UnfinishedUpload: unfinishedUploadSchema,
  User: userSchema,
}

const registry = z.registry<{ id: string }>()
for (const [id, schema] of Object.entries(nouns)) registry.add(schema, { id })

/** Raw bytes: `contentMediaType` is OpenAPI 3.1, `format` is for older tools. */
export const binary: JsonSchema = {
  type: 'string',
  format: 'binary',
  contentMediaType: 'application/octet-stream',
  description: 'The bytes of the file',
}

export function componentSchemas(): Record<string, JsonSchema> {
  const { $defs } = toJsonSchema(z.object(nouns), 'output')
  return $defs ?? {}
}

export const inputSchema = (schema: z.ZodType): JsonSchema => toJsonSchema(schema, 'input')

export function outputSchema(schema: z.ZodType): JsonSchema {
  const { $defs: _nouns, ...rest } = toJsonSchema(schema, 'output')
  return rest
}

export const ref = (name: keyof typeof nouns): JsonSchema => ({
  $ref: `#/components/schemas/${name}`,
})

/** Zod keeps shared schemas under `$defs`, OpenAPI under `components`. */
function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    metadata: registry,
    io,
    override: tidy,
  })
  return JSON.parse(
    JSON.stringify(rest).replaceAll('#/$defs/', '#/components/schemas/'),
  ) as JsonSchema
}

/**
 * Adds the contract's descriptions to a schema. Drops noise, and `additionalProperties`, which
 * would forbid new fields.
 */
function tidy({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes
  jsonSchema: JsonSchema
}): void {
  Object.assign(jsonSchema, z.globalRegistry.get(zodSchema))

  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}
