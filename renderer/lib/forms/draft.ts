import { useCallback } from 'react'
import { useSession } from '../session/session'

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

/** A browser that stores nothing (private mode, full storage) loses drafts only. */
function write(key: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(value))
  } catch (cause) {
    console.warn('This draft could not be kept', cause)
  }
}
