import type { ManyOutcome } from '../../contract'
import { AppError } from '../../core/errors'

/**
 * Applies `act` once to each id and reports the outcomes. An AppError fails only its own id; other
 * errors propagate.
 */
export async function forEachId(
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
): Promise<ManyOutcome> {
  const unique = [...new Set(ids)]
  const refusals = await Promise.all(unique.map((id) => catchRefusal(act(id))))
  const failed = unique.flatMap((id, index) => {
    const refusal = refusals[index]
    return refusal ? [{ id, error: refusal.message, code: refusal.code }] : []
  })
  return { done: unique.filter((_, index) => refusals[index] === undefined), failed }
}

async function catchRefusal(work: Promise<unknown>): Promise<AppError | undefined> {
  try {
    await work
    return undefined
  } catch (cause) {
    if (cause instanceof AppError) return cause
    throw cause
  }
}
