import { expect, test } from 'vitest'
import type { AuditEvent } from '../../../server/contract'
import { mergeEvents } from '../../../renderer/features/audit/merge-events'

const event = (id: number, news: Partial<AuditEvent> = {}): AuditEvent => ({
  event_id: String(id),
  at: `2026-11-25T10:${String(59 - id).padStart(2, '0')}:00.000Z`,
  kind: 'file_upload',
  user_id: 'u1',
  username: 'alice',
  subject: `${id}.apk`,
  detail: null,
  via: 'browser',
  address: '192.0.2.7',
  key_name: null,
  ...news,
})

test('events merge with their neighbours of one kind, person and place, within an hour of each other', () => {
  const events = [
    event(1),
    event(2),
    event(3, { kind: 'file_delete' }),
    event(4),
    event(5, { username: 'bob' }),
    event(6, { username: 'bob', via: 'api_key', key_name: 'CI' }),
    event(7),
    event(8, { at: '2026-11-25T09:52:00.000Z' }),
    event(9, { at: '2026-11-25T08:50:00.000Z' }),
  ]

  const ids = mergeEvents(events).map((merged) => merged.map(({ event_id }) => event_id).join())

  expect(ids).toEqual(['1,2', '3', '4', '5', '6', '7,8', '9'])
})
