import { useSearchParams } from 'react-router-dom'
import { auditKinds, type AuditKind } from '../../../server/contract'

export interface AuditFilter {
  /** Undefined: every kind. */
  kind: AuditKind | undefined
  /** Empty: everyone. */
  userId: string
}

/** Kept in the address, so that a reload and the back button show the same. */
export function useAuditFilter() {
  const [params, setParams] = useSearchParams()
  const filter: AuditFilter = {
    kind: auditKinds.find((kind) => kind === params.get('kind')),
    userId: params.get('person') ?? '',
  }
  const change = (news: { kind?: string; userId?: string }) => {
    const { kind = '', userId } = { ...filter, ...news }
    setParams({ ...(kind && { kind }), ...(userId && { person: userId }) }, { replace: true })
  }
  return { filter, change }
}
