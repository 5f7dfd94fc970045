import { Section } from '../../ui/layout/sections'
import { BucketSettings } from './bucket-settings'

/** /host/bucket: an S3-compatible store sends public builds to visitors. */
export const BucketPage = () => (
  <Section id="downloads" title="Downloads from a bucket">
    <BucketSettings />
  </Section>
)
