import { useCallback } from 'react'
import { useSession } from '../session/session'

/**
 * Keeps what a person is typing for as long as the tab is open, so that neither a reload nor a sign-in in between
 * loses it. Each person has drafts of their own.
 */
export function useDraft<Value>(name: string) {
  const key = `slipway.draft.${useSession().user?.user_id ?? ''}.${name}`
  const load = useCallback((): Value | undefined => read(key) as Value | undefined, [key])
  const save = useCallback((value: Value) => write(key, value), [key])
  const clear = useCallback(() => write(key, undefined), [key])
  return { load, save, clear }
}

function read(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** A browser that keeps nothing (private mode, full storage) loses drafts, and nothing else. */
function write(key: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(value))
  } catch (cause) {
    console.warn('This draft could not be kept', cause)
  }
}
