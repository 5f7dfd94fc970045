import type { BucketView } from '../../contract/host/bucket'
import type { ConfiguredBucket } from './bucket-config'
import { findTrouble, type CopyStore } from './copy-store'
import { presentChoice } from './presenter'
import type { RunningBucket } from './running-bucket'

/** How many files in trouble are listed. */
const TROUBLED = 20

interface BucketState {
  store: CopyStore
  config: ConfiguredBucket | undefined
  isOverridden: boolean
  /** Since when a bucket without keys is set up; undefined: it has them. */
  keysMissingSince: string | undefined
  /** Undefined: no bucket has been in use since the start. */
  running: RunningBucket | undefined
  month: BucketView['month']
  now: Date
}

/** The bucket as the host account sees it. */
export function viewOf(facts: BucketState): BucketView {
  const { store, config, running, month } = facts
  const problem = problemOf(facts)

  return {
    state: deriveState(facts, problem !== null),
    problem,
    choice: config === undefined ? null : presentChoice(config),
    keys_set: config?.keys !== undefined,
    overridden: facts.isOverridden,
    copies: {
      wanted: running?.copying.wanted.count ?? 0,
      there: store.count('there'),
      wanted_bytes: running?.copying.wanted.bytes ?? 0,
      there_bytes: store.bytes('there'),
      revoking: store.count('revoking'),
      damaged: store.count('damaged'),
    },
    running: runningOf(running),
    troubled: listTroubled(store, facts.now),
    month,
    check: running?.checks.view ?? { running: null, last: null },
  }
}

function problemOf({ config, keysMissingSince, running }: BucketState): BucketView['problem'] {
  if (config === undefined || config.use === 'off') return null
  if (keysMissingSince === undefined) return running?.health.problem ?? null
  return { kind: 'keys_missing', since: keysMissingSince, detail: null, clock_off_s: null }
}

function deriveState({ config, running }: BucketState, hasProblem: boolean): BucketView['state'] {
  if (config === undefined || config.use === 'off') return 'off'
  if (config.use === 'removing') return 'switching_off'
  if (hasProblem) return 'failing'
  if (running?.health.isWell !== true) return 'checking'
  return running.copying.left > 0 ? 'copying' : 'complete'
}

const runningOf = (running: RunningBucket | undefined): BucketView['running'] =>
  (running?.copying.running() ?? []).map(({ file, sent }) => {
    return { file_id: file.id, filename: file.filename, size: file.size, sent }
  })

function listTroubled(store: CopyStore, now: Date): BucketView['troubled'] {
  const unwell = [
    ...store.inState('damaged'),
    ...store.inState('revoking'),
    ...store.inState('copying'),
  ]

  const all = unwell.flatMap((copy) => {
    const trouble = findTrouble(copy, now)
    if (trouble === undefined) return []
    const since = trouble === 'failed' ? (copy.failingSince ?? copy.at) : copy.at
    return { file_id: copy.fileId, filename: copy.filename, trouble, since }
  })

  return all.sort((a, b) => a.since.localeCompare(b.since)).slice(0, TROUBLED)
}
