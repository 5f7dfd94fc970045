import { newLinkToken } from '../../access/link-token'
import { DEVICES_MAX, TESTER_DAYS, TESTERS_MAX, TOOK_KEPT } from '../../contract'
import type { Sources } from '../../core/clock'
import { AppError, notFound } from '../../core/errors'
import { compareVersions } from '../../core/versions'
import type { Library, Transaction } from '../../data/library/library'
import type { TesterRecord } from '../../data/records/project-records'
import { AccessLinks } from '../access-links/access-links'
import { forgetTimes, type Build } from '../stats/counts'
import { splitToken } from './program-key'

type Field = 'name' | 'channel' | 'passwordHash'

type Fields = Pick<TesterRecord, Field | 'createdBy'> & { expiresAt?: string | undefined }

/** A person whose request for access is approved. */
type Admitted = Pick<TesterRecord, 'projectId' | 'ownerId' | 'name' | 'channel'> &
  Pick<TesterRecord, 'tokenHash' | 'asked' | 'expiresAt'>

/** How long a repeated download changes nothing, in ms. */
const SAME_MS = 3_600_000

type Device = NonNullable<TesterRecord['devices']>[number]
type Taken = NonNullable<TesterRecord['took']>[number]

/** Returns the newest version of each platform that was downloaded by a link. */
export function versionsOf({ took = [] }: TesterRecord): Taken[] {
  const newest = new Map<string | null, Taken>()
  for (const taken of took) if (!newest.has(taken.platform)) newest.set(taken.platform, taken)
  return [...newest.values()]
}

/** Whether a link has a version below another one. */
export const isBelow = (tester: TesterRecord, version: string): boolean =>
  versionsOf(tester).some((taken) => compareVersions(taken.version, version) < 0)

/** The tester links of all projects. */
export class TesterStore extends AccessLinks<TesterRecord, Field> {
  constructor(
    library: Library,
    private readonly sources: Sources,
  ) {
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
    const address = this.addressOf(token)
    const place = { targetId: projectId, ownerId, expiresAt, address }
    const tester = await this.add(place, (terms) => ({ ...terms, ...fields, projectId }))
    return { token, tester }
  }

  /**
   * Adds the link of a person who has its address already. Throws `invalid_input` and
   * `too_many_records`.
   */
  admit(tx: Transaction, { tokenHash, expiresAt, ...fields }: Admitted): TesterRecord {
    const { projectId, ownerId } = fields
    const place = { targetId: projectId, ownerId, expiresAt, address: { tokenHash } }
    return this.addLink(tx, place, (terms) => ({ ...terms, ...fields, passwordHash: null }))
  }

  /** Keeps that a link has a build. A repeat within the hour changes nothing. */
  async keepTaken(id: string, { version, platform }: Build): Promise<void> {
    const now = this.sources.now()
    const isSame = (taken: Taken) => taken.version === version && taken.platform === platform
    const known = this.collection.get(id)
    const last = known && versionsOf(known).find(isSame)
    if (!known || version === null) return
    if (last && now.getTime() - Date.parse(last.at) < SAME_MS) return

    await this.library.transact((tx) => {
      const tester = this.collection.get(id)
      if (!tester) return
      const others = (tester.took ?? []).filter((taken) => !isSame(taken))
      const took = [{ version, platform, at: now.toISOString() }, ...others].slice(0, TOOK_KEPT)
      tx.put(this.collection, id, { ...tester, took })
    })
  }

  /**
   * Keeps a device of a link, once; a confirmed answer replaces another, and in a full link the
   * oldest unconfirmed device. Throws `too_many_records` and `not_found`.
   */
  async addDevice(id: string, device: Omit<Device, 'at'>): Promise<void> {
    const at = this.sources.now().toISOString()
    await this.library.transact((tx) => {
      const tester = this.collection.get(id)
      if (!tester) throw notFound('Tester link')
      const known = tester.devices?.find(({ udid }) => udid === device.udid)
      if (known && (known.isConfirmed || !device.isConfirmed)) return

      const replaced =
        device.isConfirmed && (tester.devices?.length ?? 0) >= DEVICES_MAX
          ? tester.devices?.findLast((it) => !it.isConfirmed)
          : undefined
      const others = (tester.devices ?? []).filter((it) => it !== (known ?? replaced))
      if (others.length >= DEVICES_MAX)
        throw new AppError(
          'too_many_records',
          `This link has ${DEVICES_MAX} devices, which is the most; ask for another link`,
        )
      tx.put(this.collection, id, { ...tester, devices: [{ ...device, at }, ...others] })
    })
  }

  /** Removes what a link has of its people: versions, times, what they wrote, and these devices. */
  forgetTaken(id: string, udids: readonly (string | undefined)[]): Promise<void> {
    return this.library.transact((tx) => {
      const tester = this.collection.get(id)
      forgetTimes(tx, id)
      if (!tester) return
      const asked = tester.asked && { note: '', at: tester.asked.at }
      const devices = tester.devices?.filter(({ udid }) => !udids.includes(udid))
      tx.put(this.collection, id, { ...tester, took: undefined, devices, asked })
    })
  }

  /** Counts the links of people whose requests were approved, but those that have expired. */
  countAdmitted(projectId: string): number {
    return this.ofTarget(projectId).filter((it) => it.asked && this.isCurrent(it)).length
  }

  /** Ends the links of a project that a person made, in the transaction that removes the person. */
  endThoseBy(tx: Transaction, projectId: string, userId: string): void {
    for (const tester of this.ofTarget(projectId))
      if (tester.createdBy === userId) this.remove(tx, tester)
  }
}
