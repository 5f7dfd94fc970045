import { Anchor, Stack } from '@mantine/core'
import { Link } from 'react-router-dom'
import { paths } from '../../paths'
import { Section } from '../../ui/layout/sections'
import { BucketSettings } from './bucket-settings'

/** /host/bucket: an S3-compatible store sends public builds to visitors. */
export const BucketPage = () => (
  <Stack gap="md">
    <Anchor component={Link} to={paths.hostSettings} size="sm">
      All settings
    </Anchor>
    <Section id="downloads" title="Downloads from a bucket">
      <BucketSettings />
    </Section>
  </Stack>
)
