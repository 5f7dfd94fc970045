import { useSearchParams } from 'react-router-dom'
import type { AuditKind } from '../../../server/contract'
import { auditKinds } from './texts'

export interface AuditFilter {
  kind: AuditKind | undefined
  userId: string
}

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
