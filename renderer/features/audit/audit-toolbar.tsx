import { Group, NativeSelect } from '@mantine/core'
import { auditKinds, findGroup, kindTexts } from './texts'
import { useAuditPeople } from './use-audit'
import type { AuditFilter } from './use-audit-filter'

interface AuditToolbarProps {
  filter: AuditFilter
  onChange: (news: { kind?: string; userId?: string }) => void
}

export function AuditToolbar({ filter, onChange }: AuditToolbarProps) {
  const people = useAuditPeople()

  const kinds = [...Map.groupBy(auditKinds, findGroup)].map(([group, values]) => ({
    group,
    items: values.map((value) => ({ value, label: kindTexts[value] })),
  }))
  const persons = people.map(({ user_id: value, username: label }) => ({ value, label }))

  return (
    <Group gap="sm">
      <NativeSelect
        w={{ base: '100%', xs: 260 }}
        aria-label="Kind of event"
        data={[{ value: '', label: 'Everything' }, ...kinds]}
        value={filter.kind ?? ''}
        onChange={({ currentTarget }) => onChange({ kind: currentTarget.value })}
      />
      <NativeSelect
        w={{ base: '100%', xs: 220 }}
        aria-label="Person"
        data={[{ value: '', label: 'Everyone' }, ...persons]}
        value={persons.some(({ value }) => value === filter.userId) ? filter.userId : ''}
        onChange={({ currentTarget }) => onChange({ userId: currentTarget.value })}
      />
    </Group>
  )
}
