import { useCallback } from 'react'
import { useSearchParams } from 'react-router-dom'

/** A text in the address (`?q=…`), so that a search can be linked and survives a reload. */
export function useSearchParam(name: string): [string, (value: string) => void] {
  const [params, setParams] = useSearchParams()
  const set = useCallback(
    (value: string) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before)
          if (value === '') after.delete(name)
          else after.set(name, value)
          return after
        },
        { replace: true },
      ),
    [name, setParams],
  )

  return [params.get(name) ?? '', set]
}
