import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { BucketView } from '../contract'
import { bucketProblemTexts } from '../texts/host/bucket-texts'
import { bucketTroubles } from '../texts/files/bucket-troubles'
import { formatQuantity, formatSize } from '../texts/format'
import { askHost } from './ask-host'
import { formatTime } from './format-time'

/** Exit code when something needs attention. */
const NOT_WELL = 2
/** How often to ask the host while it works, in ms. */
const LOOK_MS = 500

const flag = { type: 'boolean' } as const
const options = {
  data: { type: 'string' },
  json: flag,
  'read-data': flag,
  'keep-copies': flag,
} as const

interface BucketOptions {
  data: string | undefined
  readsData: boolean
  keepsCopies: boolean
}

/** A command of `slipway bucket`: the last state, a line about it, and whether all is well. */
interface Outcome {
  view: BucketView
  line: string
  isWell: boolean
}

const actions: Readonly<Record<string, (request: BucketOptions) => Promise<Outcome>>> = {
  status,
  verify,
  remove,
}

/**
 * Shows, checks or switches off downloads from a bucket, at the running host. Returns the exit
 * code.
 */
export async function runBucket(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [name = '', ...more] = positionals

  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (!action || more.length > 0)
    throw new Error('Use bucket status, bucket verify or bucket remove')

  const readsData = values['read-data'] === true
  const keepsCopies = values['keep-copies'] === true
  if (readsData && name !== 'verify') throw new Error('--read-data belongs to bucket verify')
  if (keepsCopies && name !== 'remove') throw new Error('--keep-copies belongs to bucket remove')

  const { view, line, isWell } = await action({ data: values.data, readsData, keepsCopies })
  console.log(
    values.json === true ? JSON.stringify(view, null, 2) : [line, ...linesOf(view)].join('\n'),
  )

  return isWell ? 0 : NOT_WELL
}

const show = async ({ data }: BucketOptions): Promise<BucketView> =>
  (await askHost(data, 'mirror.show', {})).mirror

async function status(request: BucketOptions): Promise<Outcome> {
  const view = await show(request)
  const isOn = view.state === 'copying' || view.state === 'complete'
  return { view, line: states[view.state], isWell: isOn && view.troubled.length === 0 }
}

const states: Record<BucketView['state'], string> = {
  off: 'Downloads from a bucket are off.',
  checking: 'Downloads come from this host until the bucket answers.',
  copying: 'The bucket sends the downloads of files that are copied; copying continues.',
  complete: 'The bucket sends downloads.',
  failing: 'Downloads come from this host.',
  switching_off: 'Downloads come from this host, and the copies in the bucket are being deleted.',
}

async function verify(request: BucketOptions): Promise<Outcome> {
  const before = (await askHost(request.data, 'mirror.verify', { read_data: request.readsData }))
    .mirror

  const view = await until(
    request,
    before,
    ({ check, problem }) => check.running === null || problem !== null,
  )

  const { running, last } = view.check
  if (running !== null)
    return { view, line: 'The check continues when the bucket answers.', isWell: false }
  if (last === null) return { view, line: 'The check was interrupted.', isWell: false }

  const { checked, missing, altered } = last
  const line =
    `${formatQuantity(checked, 'copy', 'copies')} checked: ${missing} missing, ${altered} ` +
    'altered.'
  const remedy = missing + altered === 0 ? '' : ' The host copies these files again.'
  return { view, line: line + remedy, isWell: missing + altered === 0 && view.problem === null }
}

async function remove(request: BucketOptions): Promise<Outcome> {
  const copies = request.keepsCopies ? 'keep' : 'delete'

  const before = (await askHost(request.data, 'mirror.remove', { copies })).mirror
  const view = await until(
    request,
    before,
    ({ state, problem }) => state !== 'switching_off' || problem !== null,
  )

  const isOff = view.state === 'off'
  const line = isOff
    ? states.off
    : `${states.switching_off} The host continues when the bucket answers.`

  const advice = view.overridden
    ? '\nRemove --bucket-config too, else the next start copies all files again.'
    : ''
  return { view, line: line + advice, isWell: isOff }
}

/** Asks the host until it is done. */
async function until(
  request: BucketOptions,
  first: BucketView,
  isDone: (view: BucketView) => boolean,
): Promise<BucketView> {
  let view = first
  while (!isDone(view)) {
    await pause(LOOK_MS)
    view = await show(request)
  }
  return view
}

function linesOf(view: BucketView): string[] {
  const { choice, copies, month, problem, troubled } = view
  if (choice === null) return []

  const words = problem && bucketProblemTexts(problem, (iso) => formatTime(iso))
  const rows: [string, string][] = [
    ['Bucket', `${choice.bucket} at ${choice.endpoint}`],
    ['Copies', `${copies.there} of ${copies.wanted}, ${formatSize(copies.there_bytes)}`],
    [
      'This month',
      `about ${formatSize(month.redirected_bytes)} from the bucket, ` +
        formatQuantity(month.redirects, 'download'),
    ],
  ]

  return [
    ...rows.map(([name, value]) => `${name.padEnd(10)}  ${value}`),
    ...(words
      ? [
          words.line,
          ...(problem.detail === null ? [] : [problem.detail]),
          words.effect,
          words.advice,
        ]
      : []),
    ...troubled.map((file) => `${file.filename}: ${bucketTroubles[file.trouble]}`),
  ]
}
