import { BucketError, type BucketProblem } from '../../../../server/data/bucket/bucket-error'
import { Health } from '../../../../server/features/bucket/health'
import { SECOND, TestClock } from '../../../support/world/test-clock'

export const COPY = 'c'.repeat(32)
const HEAD = { at: new Date(0), size: 1, etag: '"1"' }
export const broken = (kind: BucketProblem, detail = '') => new BucketError(kind, detail)

/** A health whose bucket answers as the test says, and what it has asked and logged. */
export function aHealth() {
  const clock = new TestClock()
  const rig = {
    clock,
    /** What is wrong with the bucket; undefined: it answers. */
    problem: undefined as BucketError | undefined,
    answerMs: 0,
    copy: COPY as string | undefined,
    isEmpty: false,
    isOn: true,
    asked: [] as string[],
    lines: [] as string[],
    fields: [] as object[],
    changes: 0,
    /** Ends a question that hangs. */
    answer: undefined as (() => void) | undefined,
    hangs: false,
    /** Ends what visitors wait for an answer. */
    losePatience: undefined as (() => void) | undefined,
  }
  const record = (level: string) => (fields: object, message: string) => {
    rig.lines.push(`${level}: ${message}`)
    rig.fields.push(fields)
  }
  const answered = async (question: string) => {
    rig.asked.push(`${question} at ${clock.elapsed() / SECOND}`)
    if (rig.hangs) await new Promise<void>((resolve) => (rig.answer = resolve))
    clock.advance(rig.answerMs)
    return rig.problem
  }
  const health = new Health({
    clock,
    log: { info: record('info'), warn: record('warn') },
    bucket: () => ({
      head: async () => {
        const problem = await answered('head')
        if (problem) throw problem
        return rig.isEmpty ? undefined : HEAD
      },
    }),
    someCopy: () => rig.copy,
    isOn: () => rig.isOn,
    missed: (blobId) => {
      rig.asked.push(`missed ${blobId}`)
      return Promise.resolve()
    },
    test: async () => {
      const { kind, detail } = (await answered('test')) ?? {}
      return [{ problem: kind ?? null, detail: detail ?? null }]
    },
    patience: () => new Promise<void>((resolve) => (rig.losePatience = resolve)),
  })
  health.onChange(() => rig.changes++)
  /** Lets time pass as the host does, which looks every second. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += SECOND) {
      clock.advance(SECOND)
      await health.look()
    }
  }
  return { health, rig, pass }
}
