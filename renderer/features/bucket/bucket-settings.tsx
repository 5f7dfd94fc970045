import { Skeleton, Stack, Text } from '@mantine/core'
import { useRef } from 'react'
import { mirrorChoiceSchema, type MirrorChoice, type MirrorView } from '../../../server/contract/host/bucket'
import { inMegabytes } from '../../lib/forms/megabytes'
import { formatSize, formatSpeed } from '../../lib/texts/format'
import { Loaded } from '../../ui/feedback/loaded'
import { Disclosure } from '../../ui/layout/disclosure'
import classes from '../internet/internet.module.css'
import { MirrorForm } from './bucket-form'
import { MirrorState } from './bucket-state'
import { useMirror } from './use-bucket'

/** The bucket: what happens there, and its settings. */
export const MirrorSettings = () => (
  <Loaded
    query={useMirror()}
    title="The bucket could not be loaded"
    skeleton={<Skeleton h={240} role="status" aria-label="Loading" />}
  >
    {(view) => <Settings view={view} />}
  </Loaded>
)

function Settings({ view }: { view: MirrorView }) {
  const status = useRef<HTMLParagraphElement>(null)
  const { state, problem, choice, overridden } = view
  const form = <MirrorForm view={view} onSaved={() => status.current?.focus()} />
  return (
    <>
      {state === 'off' && (
        <Text maw={640}>
          Slipway copies every public build of at least {inMegabytes(choice?.least_bytes ?? DEFAULT_LEAST)} MB to your
          bucket and sends visitors outside your network there; you pay the bill of the bucket.
        </Text>
      )}
      <MirrorState view={view} status={status} />
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

const DEFAULT_LEAST = mirrorChoiceSchema.shape.least_bytes.parse(undefined)

/** Settings that only a restart changes. */
function FixedChoice({ choice }: { choice: MirrorChoice }) {
  const { endpoint, region, bucket, prefix, path_style: isPath, least_bytes: least, bytes_per_second: speed } = choice
  const values = [
    ['Endpoint', endpoint],
    ['Region', region],
    ['Bucket', bucket],
    ['Prefix', prefix],
    ['Bucket name in the path', isPath ? 'Yes' : 'No'],
    ['Minimum size', formatSize(least)],
    ['Speed of copying', speed === null ? 'No limit' : formatSpeed(speed)],
  ] as const
  return (
    <Stack gap="xs">
      <Text c="dimmed">Set by --mirror-config. To change it, edit that file and restart Slipway.</Text>
      <dl className={classes.values} aria-label="Settings of the bucket">
        {values.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={classes.value}>{value}</dd>
          </div>
        ))}
      </dl>
    </Stack>
  )
}
