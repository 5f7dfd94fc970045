import { useEffect, useState } from 'react'
import { useSession } from '../../lib/session/session'
import { noteVisit, type Visit, type Visits } from './last-visit'

/** The previous visit in this browser. Records the current numbers once they are known. */
export function useLastVisit(now: Pick<Visit, 'downloads' | 'views'> | undefined): Visit | undefined {
  const key = `slipway.visit.${useSession().user?.user_id ?? ''}`
  const [noted] = useState(() => read(key))
  const [openedAt] = useState(() => new Date().toISOString())
  const visits = now && noteVisit(noted, { at: openedAt, ...now })
  const toKeep = visits && JSON.stringify(visits)
  useEffect(() => {
    if (toKeep !== undefined) write(key, toKeep)
  }, [key, toKeep])
  return visits?.before
}

function read(key: string): Visits | undefined {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as Visits | null) ?? undefined
  } catch {
    return undefined
  }
}

/** A browser that stores nothing shows no news. */
function write(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch (cause) {
    console.warn('This visit could not be noted', cause)
  }
}
