import { Card, Stack } from '@mantine/core'
import { BucketSettings } from './bucket-settings'

/** /host/bucket: an S3-compatible store sends public builds to visitors. */
export const BucketPage = () => (
  <Card component="section" aria-label="Downloads from a bucket">
    <Stack gap="md">
      <BucketSettings />
    </Stack>
  </Card>
)
