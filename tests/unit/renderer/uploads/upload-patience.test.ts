import { beforeEach, describe, expect, test, vi } from 'vitest'
import { computeFingerprint } from '../../../../renderer/features/uploads/transport/file-fingerprint'
import { withPatience } from '../../../../renderer/features/uploads/transport/upload-patience'
import { ApiError, connectionLost } from '../../../../renderer/lib/client/api-client'
import { delayBefore } from '../../../../renderer/lib/client/connection'

/** A page that only reports that the network is back. */
beforeEach(() => void vi.stubGlobal('window', new EventTarget()))

/** Tries until the errors are used up; the network comes back after each. */
async function attemptAll(errors: readonly ApiError[]) {
  const left = [...errors]
  const told: string[] = []
  const onInterrupted = ({ code }: ApiError) => {
    told.push(code)
    setTimeout(() => window.dispatchEvent(new Event('online')))
  }
  const attempt = async () => {
    const error = left.shift()
    if (error) throw error
    return 'done'
  }
  const outcome = await withPatience(attempt, {
    signal: new AbortController().signal,
    onInterrupted,
  }).catch((cause: unknown) => cause)
  return { outcome, told }
}

describe('an upload that is interrupted', () => {
  test('is retried for as long as the host does not answer, at once when the network is back', async () => {
    const { outcome, told } = await attemptAll(Array.from({ length: 30 }, connectionLost))
    expect(outcome).toBe('done')
    expect(told).toHaveLength(30)
  })

  test('waits for a while when another request is at work, or the host is', async () => {
    const busy = [
      new ApiError('offset_mismatch', 'Elsewhere', 409),
      new ApiError('locked', 'Another request', 423),
      new ApiError('busy', 'Busy', 503),
    ]
    expect((await attemptAll(busy)).outcome).toBe('done')
    const stuck = Array.from({ length: 30 }, () => new ApiError('locked', 'Another request', 423))
    const { outcome, told } = await attemptAll(stuck)
    expect(outcome).toBe(stuck[11])
    expect(told).toHaveLength(11)
  })

  test.each([
    ['quota_exceeded', 403],
    ['disk_full', 507],
    ['read_only', 503],
    ['too_large', 413],
    ['sign_in_required', 401],
  ] as const)('ends at once when another try cannot help: %s', async (code, status) => {
    const refusal = new ApiError(code, 'No', status)
    expect(await attemptAll([refusal])).toEqual({ outcome: refusal, told: [] })
  })

  test('ends when it is cancelled during the wait', async () => {
    const stop = new AbortController()
    const waiting = withPatience(() => Promise.reject(connectionLost()), {
      signal: stop.signal,
      onInterrupted: () => setTimeout(() => stop.abort()),
    })
    await expect(waiting).rejects.toThrow(/abort/)
  })
})

test('delays double up to 20 seconds, and half of each is chance', () => {
  const [none, all] = [() => 0, () => 1]
  expect([0, 1, 2, 9].map((tries) => delayBefore(tries, all))).toEqual([500, 1000, 2000, 20_000])
  expect([0, 1, 2, 9].map((tries) => delayBefore(tries, none))).toEqual([250, 500, 1000, 10_000])
})

describe('the fingerprint of a file', () => {
  const aFile = (bytes: Uint8Array<ArrayBuffer>, name = 'a.apk', lastModified = 1) =>
    new File([bytes], name, { lastModified })
  const bytes = () => new Uint8Array(1_000_000).fill(7)

  test('is the same for the same file, and 16 hexadecimal digits', async () => {
    const first = await computeFingerprint(aFile(bytes()))
    expect(first).toMatch(/^[0-9a-f]{16}$/)
    expect(await computeFingerprint(aFile(bytes()))).toBe(first)
  })

  test('differs with name, size, time of change, and the bytes at both ends', async () => {
    const changed = (at: number) => {
      const other = bytes()
      other[at] = 8
      return aFile(other)
    }
    const files = [
      ...[
        aFile(bytes()),
        aFile(bytes(), 'b.apk'),
        aFile(bytes(), 'a.apk', 2),
        aFile(bytes().slice(1)),
      ],
      ...[changed(0), changed(999_999), changed(15_900)],
    ]
    const found = await Promise.all(files.map(computeFingerprint))
    expect(new Set(found).size).toBe(files.length)
  })
})
