import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  bucketExamples,
  bucketPolicy,
  bucketConfig,
} from '../../../renderer/features/docs/examples/bucket-examples'
import { bucketChoiceSchema, bucketKeyFields } from '../../../server/contract/host/bucket'

test('the policy allows what the host needs, in one bucket and below one prefix', () => {
  const { Statement } = JSON.parse(bucketPolicy) as {
    Statement: { Action: string[]; Resource: string }[]
  }
  expect(Statement.flatMap(({ Action }) => Action).sort()).toEqual([
    ...['s3:AbortMultipartUpload', 's3:DeleteObject', 's3:GetObject', 's3:ListBucket'],
    ...['s3:ListBucketMultipartUploads', 's3:ListMultipartUploadParts', 's3:PutObject'],
  ])
  const { prefix } = bucketChoiceSchema.parse({
    endpoint: 'https://s3.example',
    bucket: 'my-builds',
  })
  expect(Statement.map(({ Resource }) => Resource)).toEqual([
    `arn:aws:s3:::my-builds/${prefix}*`,
    'arn:aws:s3:::my-builds',
  ])
})

test('the example of --bucket-config is valid', () => {
  const {
    access_key_id: _,
    secret_access_key: __,
    ...choice
  } = JSON.parse(bucketConfig) as Record<string, string>
  expect(bucketChoiceSchema.strict().parse(choice)).toMatchObject({ bucket: 'my-builds' })
  expect(Object.keys(JSON.parse(bucketConfig) as object)).toEqual(
    expect.arrayContaining(Object.keys(z.object(bucketKeyFields).shape)),
  )
})

test('each provider has an endpoint and few lines', () => {
  for (const [name, text] of Object.entries(bucketExamples)) {
    expect([name, /^# Endpoint https?:\/\/\S+.*\n# Region \w+/.test(text)]).toEqual([name, true])
    expect(text.split('\n').length).toBeLessThanOrEqual(6)
  }
})
