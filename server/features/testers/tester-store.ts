import { newLinkToken } from '../../access/link-token'
import { TESTER_DAYS, TESTERS_MAX } from '../../contract'
import type { Sources } from '../../core/clock'
import type { Library, Transaction } from '../../data/library/library'
import type { TesterRecord } from '../../data/records/project-records'
import { AccessLinks } from '../access-links/access-links'
import { splitToken } from './program-key'

type Field = 'name' | 'channel' | 'passwordHash'

type Fields = Pick<TesterRecord, Field | 'createdBy'> & { expiresAt?: string | undefined }

/** The tester links of all projects. */
export class TesterStore extends AccessLinks<TesterRecord, Field> {
  constructor(library: Library, sources: Sources) {
    super(
      { library, sources, collection: library.collection('testers') },
      {
        noun: 'Tester link',
        targetOf: (tester) => tester.projectId,
        target: 'A project',
        most: TESTERS_MAX,
        usualDays: TESTER_DAYS.usual,
        verb: 'Revoke',
      },
    )
  }

  /** Finds the link with this token, with or without a key for programs, unless it has expired. */
  override current(segment: string): TesterRecord | undefined {
    return super.current(splitToken(segment).token)
  }

  /** Whether the link of a request still gives the same access. */
  override holds(tester: TesterRecord): boolean {
    return super.holds(tester) && this.collection.get(tester.id)?.channel === tester.channel
  }

  /** Returns the token, which is not stored. Throws `invalid_input` and `too_many_records`. */
  async create(
    { id: projectId, ownerId }: Readonly<Record<'id' | 'ownerId', string>>,
    { expiresAt, ...fields }: Fields,
  ): Promise<{ token: string; tester: TesterRecord }> {
    const token = newLinkToken()
    const tester = await this.add({ targetId: projectId, ownerId, expiresAt, token }, (terms) => ({
      ...terms,
      ...fields,
      projectId,
    }))
    return { token, tester }
  }

  /** Ends the links of a project that a person made, in the transaction that removes the person. */
  endThoseBy(tx: Transaction, projectId: string, userId: string): void {
    for (const tester of this.ofTarget(projectId))
      if (tester.createdBy === userId) this.remove(tx, tester)
  }
}
