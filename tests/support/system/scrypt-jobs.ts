import { createHook } from 'node:async_hooks'
import { onTestFinished } from 'vitest'

/** Watches Node's own scrypt jobs until the test ends; returns how many of them ran at once. */
export function mostAtOnce(): () => number {
  const running = new Set<number>()
  let most = 0
  const hook = createHook({
    init(id, type) {
      if (type === 'SCRYPTREQUEST') most = Math.max(most, running.add(id).size)
    },
    before: (id) => void running.delete(id),
  }).enable()
  onTestFinished(() => void hook.disable())
  return () => most
}
