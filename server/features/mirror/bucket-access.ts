import type { MirrorTestStep } from '../../contract/mirror'
import type { Bucket } from '../../data/bucket/bucket'
import type { BucketChoice, BucketKeys } from '../../data/bucket/bucket-choice'
import type { TriedStep } from '../../data/bucket/try-bucket'

/** Reaches buckets. Each function loads their client on first use, because most hosts have no bucket. */
export interface BucketAccess {
  open: (choice: BucketChoice, keys: BucketKeys) => Promise<Bucket>
  /** Tries each kind of request with a small object, up to the first that the others depend on. */
  try: (choice: BucketChoice, keys: BucketKeys) => Promise<readonly TriedStep[]>
}

const steps = ['put', 'read', 'head', 'delete'] as const

/** All steps of a test as the contract describes them. */
export const testSteps = (tried: readonly TriedStep[]): MirrorTestStep[] =>
  steps.map((step): MirrorTestStep => {
    const found = tried.find((it) => it.step === step)
    if (found === undefined) return { step, state: 'skipped', problem: null, detail: null }
    return { ...found, state: found.problem === null ? 'done' : 'failed' }
  })
