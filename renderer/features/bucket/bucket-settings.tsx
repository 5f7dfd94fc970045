import { Skeleton, Stack, Text } from '@mantine/core'
import { useRef } from 'react'
import { bucketSettings } from '../../../server/contract/host-settings/bucket'
import type { Setting } from '../../../server/contract/host-settings/setting'
import type { BucketChoice, BucketView } from '../../../server/contract/host/bucket'
import { inMegabytes } from '../../lib/forms/megabytes'
import { formatSize, formatSpeed } from '../../lib/texts/format'
import { Loaded } from '../../ui/feedback/loaded'
import { Disclosure } from '../../ui/layout/disclosure'
import { ValueList } from '../../ui/text/value-list'
import { BucketForm } from './bucket-form'
import { BucketState } from './bucket-state'
import { useBucket } from './use-bucket'

/** The bucket: what happens there, and its settings. */
export const BucketSettings = () => (
  <Loaded
    query={useBucket()}
    title="The bucket could not be loaded"
    skeleton={<Skeleton h={240} role="status" aria-label="Loading" />}
  >
    {(view) => <Settings view={view} />}
  </Loaded>
)

function Settings({ view }: { view: BucketView }) {
  const status = useRef<HTMLParagraphElement>(null)

  const { state, problem, choice, overridden } = view
  const form = <BucketForm view={view} onSaved={() => status.current?.focus()} />

  return (
    <>
      {state === 'off' && (
        <Text maw={640}>
          Slipway copies every public build of at least{' '}
          {inMegabytes(choice?.least_bytes ?? bucketSettings.least_bytes.default)} MB to your bucket
          and sends visitors outside your network there. Your storage provider bills you for this.
        </Text>
      )}
      <BucketState view={view} status={status} />
      {overridden && choice && <FixedChoice choice={choice} />}
      {!overridden && state === 'off' && form}
      {!overridden && state !== 'off' && state !== 'switching_off' && (
        <Disclosure label="Change the bucket" isOpen={problem?.kind === 'keys_missing'}>
          {form}
        </Disclosure>
      )}
    </>
  )
}

function describeValue({ unit, placeholder }: Setting, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value !== 'number') return typeof value === 'string' ? value : (placeholder ?? '')
  return unit === 'MB/s' ? formatSpeed(value) : formatSize(value)
}

/** Settings that only a restart changes. */
function FixedChoice({ choice }: { choice: BucketChoice }) {
  const { seconds: _, ...rows } = bucketSettings
  const values = Object.entries<Setting>(rows).map(
    ([name, row]) => [row.label, describeValue(row, choice[name as keyof typeof rows])] as const,
  )

  return (
    <Stack gap="xs">
      <Text c="dimmed">
        Set by --bucket-config. To change it, edit that file and restart Slipway.
      </Text>
      <ValueList label="Settings of the bucket" values={values} />
    </Stack>
  )
}
