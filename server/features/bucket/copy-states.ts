import type { CopyRecord } from '../../data/records/file-records'

/*
 * The states of a public copy, which is one object in the bucket with the bytes of one public file.
 *
 *     none ──begin──▶ copying ──finish──▶ present ──lose──▶ none
 *                        │  └──damage──▶ damaged ──lose──▶ none
 *                        │                 │
 *     copying, present or damaged ──revoke──▶ revoking ──remove──▶ none
 *
 * - `copying`: parts of it may be in the bucket. A restart continues with the recorded parts.
 * - `present`: the object is whole. Only now are addresses of it given out.
 * - `damaged`: the bytes on disk differ from the upload, so there is no object, until they are
 *   mended.
 * - `revoking`: the object must go, and no address is given out any more. The record stays until
 *   the bucket has confirmed that it has no object, also after a restart.
 *
 * The table is the only place that says which change is possible. A change that arrives too late,
 * such as `finish` for a copy that was revoked meanwhile, does nothing: the caller learns so from
 * the transaction, and the copy is then treated as its record says.
 *
 * What is to be done follows from the record and from the file, each time one of them has changed:
 * see `decideWork`. So a crash between two changes needs no repair: the next start decides again.
 */

/** As stored and in the API, where `present` is called `there`. */
type CopyState = CopyRecord['state'] | 'none'
type Transitions = Partial<Record<CopyRecord['state'], CopyState>>

const table = {
  finish: { copying: 'there' },
  damage: { copying: 'damaged' },
  revoke: { copying: 'revoking', there: 'revoking', damaged: 'revoking' },
  /** The bucket has no whole object any more, or the bytes on disk were mended. */
  lose: { there: 'none', damaged: 'none' },
  /** Of any state: the disk may have refused to record that it was revoked. */
  remove: { copying: 'none', there: 'none', damaged: 'none', revoking: 'none' },
} as const satisfies Record<string, Transitions>

/** What can happen to a copy that has a record. */
export type CopyEvent = keyof typeof table

/** The state after an event; undefined: the event does not concern a copy in this state. */
export function nextState(state: CopyRecord['state'], event: CopyEvent): CopyState | undefined {
  const transitions: Transitions = table[event]
  return transitions[state]
}

/** What is to be done about a copy. `file`: the public file that wants it. */
export function decideWork(
  copy: Pick<CopyRecord, 'state' | 'sha256'> | undefined,
  file: { sha256: string } | undefined,
): 'copy' | 'delete' | 'nothing' {
  if (copy === undefined) return file ? 'copy' : 'nothing'
  if (!file || copy.state === 'revoking') return 'delete'
  if (copy.state === 'copying') return 'copy'
  return copy.sha256 === file.sha256 ? 'nothing' : 'delete'
}
