import { hashOfToken } from '../../access/link-token'
import { PASSKEYS_MAX, type FactorKind } from '../../contract'
import type { Sources } from '../../core/clock'
import { AppError, notFound } from '../../core/errors'
import type { Collection, Library, Transaction } from '../../data/library/library'
import type { FactorRecord, PasskeyRecord } from '../../data/records/account-records'
import { hashOfRecoveryCode, newRecoveryCodes } from './recovery-codes'

const none = (id: string): FactorRecord => ({
  id,
  codes: null,
  passkeys: [],
  recoveryHashes: [],
  answered: [],
})

/** What a change of factors does in its transaction: it ends sessions. */
type Also = (tx: Transaction) => void

/** The answer of a passkey to a challenge, after its signature was verified. */
interface Answer {
  credentialId: string
  counter: number
  challenge: string
  /** When the challenge expires, in ms since 1970. */
  until: number
}

/**
 * What proves accounts beside their passwords: codes, passkeys and recovery codes.
 *
 * Each proof is used up in one transaction: the time step of a code, the challenge of a passkey and
 * its counter, a recovery code. The library keeps that, so that none works twice, also not after a
 * restart, or at another host that continues with the library.
 */
export class FactorStore {
  readonly #records: Collection<FactorRecord>

  constructor(
    private readonly library: Library,
    private readonly sources: Sources,
  ) {
    this.#records = library.collection('factors')
  }

  find(userId: string): FactorRecord {
    return this.#records.get(userId) ?? none(userId)
  }

  /** What the account can be proved by; empty: its password alone. */
  kindsOf(userId: string): FactorKind[] {
    const { codes, passkeys } = this.find(userId)
    return [
      ...(codes === null ? [] : (['code'] as const)),
      ...(passkeys.length === 0 ? [] : (['passkey'] as const)),
    ]
  }

  has(userId: string): boolean {
    return this.kindsOf(userId).length > 0
  }

  /**
   * Stores the codes of an app, whose first code was of this step. Returns new recovery codes for a
   * first factor, which are not stored. Throws `taken` if the account has codes.
   */
  addCodes(
    userId: string,
    { sealedSecret, lastStep }: { sealedSecret: string; lastStep: number },
    also: Also,
  ): Promise<string[] | null> {
    return this.#add(userId, also, (record) => {
      if (record.codes) throw hasCodes()
      const codes = { sealedSecret, lastStep, createdAt: this.#now(), lastUsedAt: null }
      return { ...record, codes }
    })
  }

  /** The same for a passkey. Throws `taken` for a known one, and `too_many_records`. */
  async addPasskey(
    userId: string,
    fields: Omit<PasskeyRecord, 'id' | 'createdAt' | 'lastUsedAt'>,
    also: Also,
  ): Promise<{ passkey: PasskeyRecord; recoveryCodes: string[] | null }> {
    const id = this.sources.newId()
    const passkey = { ...fields, id, createdAt: this.#now(), lastUsedAt: null }

    const recoveryCodes = await this.#add(userId, also, (record) => {
      const { passkeys } = record
      if (passkeys.some(({ credentialId }) => credentialId === passkey.credentialId))
        throw new AppError('taken', 'This account has that passkey already')
      if (passkeys.length >= PASSKEYS_MAX)
        throw new AppError('too_many_records', `An account has at most ${PASSKEYS_MAX} passkeys`)

      return { ...record, passkeys: [...passkeys, passkey] }
    })
    return { passkey, recoveryCodes }
  }

  /** Throws `not_found`. */
  async removeCodes(userId: string, also: Also): Promise<void> {
    await this.#change(
      userId,
      (record) => {
        if (!record.codes) throw notFound('Second factor')
        return { ...record, codes: null }
      },
      also,
    )
  }

  /** Returns the passkey. Throws `not_found`. */
  async renamePasskey(userId: string, id: string, name: string): Promise<PasskeyRecord> {
    const changed = await this.#change(userId, (record) => {
      const passkey = requirePasskey(record, id)
      return withPasskey(record, { ...passkey, name })
    })
    return requirePasskey(changed, id)
  }

  /** Returns the removed passkey. Throws `not_found`, and what `check` of the others throws. */
  async removePasskey(
    userId: string,
    id: string,
    check: (left: readonly PasskeyRecord[]) => void,
    also: Also,
  ): Promise<PasskeyRecord> {
    const removed = requirePasskey(this.find(userId), id)
    await this.#change(
      userId,
      (record) => {
        requirePasskey(record, id)
        const passkeys = record.passkeys.filter((passkey) => passkey.id !== id)
        check(passkeys)
        return { ...record, passkeys }
      },
      also,
    )
    return removed
  }

  /** Replaces the recovery codes, and returns the new ones. Throws `not_found` without a factor. */
  async renewRecoveryCodes(userId: string): Promise<string[]> {
    const recoveryCodes = newRecoveryCodes()
    await this.#change(userId, (record) => {
      if (!hasFactor(record)) throw notFound('Second factor')
      return { ...record, recoveryHashes: recoveryCodes.map(hashOfRecoveryCode) }
    })
    return recoveryCodes
  }

  removeAll(userId: string, also: Also): Promise<void> {
    return this.library.transact((tx) => {
      this.drop(tx, userId)
      also(tx)
    })
  }

  /** Removes all of an account, in a transaction that may remove the account, too. */
  drop(tx: Transaction, userId: string): void {
    if (this.#records.has(userId)) tx.delete(this.#records, userId)
  }

  /** Uses a code of this step up. Returns false if it or a later one was used. */
  useCode(userId: string, step: number): Promise<boolean> {
    return this.#use(userId, (record) => {
      if (!record.codes || step <= record.codes.lastStep) return undefined
      return { ...record, codes: { ...record.codes, lastStep: step, lastUsedAt: this.#now() } }
    })
  }

  /** Uses a recovery code up. Returns false for an unknown or used one. */
  useRecoveryCode(userId: string, typed: string): Promise<boolean> {
    const hash = hashOfRecoveryCode(typed)
    return this.#use(userId, (record) => {
      if (!record.recoveryHashes.includes(hash)) return undefined
      return { ...record, recoveryHashes: record.recoveryHashes.filter((left) => left !== hash) }
    })
  }

  /**
   * Uses the answer of a passkey up. Returns false if the challenge was answered before, if the
   * passkey was removed meanwhile, or if its counter does not grow: it was copied.
   */
  usePasskey(
    userId: string,
    { credentialId, counter, challenge, until }: Answer,
  ): Promise<boolean> {
    const hash = hashOfToken(challenge)
    return this.#use(userId, (record) => {
      const passkey = record.passkeys.find((it) => it.credentialId === credentialId)
      if (!passkey || record.answered.some((it) => it.hash === hash)) return undefined
      if (counter <= passkey.counter && counter + passkey.counter > 0) return undefined

      const now = this.#now()
      const answered = [
        ...record.answered.filter((it) => it.until > now),
        { hash, until: new Date(until).toISOString() },
      ]
      return withPasskey({ ...record, answered }, { ...passkey, counter, lastUsedAt: now })
    })
  }

  #now(): string {
    return this.sources.now().toISOString()
  }

  /** A first factor brings recovery codes. */
  async #add(
    userId: string,
    also: Also,
    change: (record: FactorRecord) => FactorRecord,
  ): Promise<string[] | null> {
    const recoveryCodes = newRecoveryCodes()
    const recoveryHashes = recoveryCodes.map(hashOfRecoveryCode)
    const changed = await this.#change(
      userId,
      (record) => ({ ...change(record), ...(!hasFactor(record) && { recoveryHashes }) }),
      also,
    )
    return changed.recoveryHashes === recoveryHashes ? recoveryCodes : null
  }

  /** Without a factor nothing is left: recovery codes recover one. */
  #change(
    userId: string,
    change: (record: FactorRecord) => FactorRecord,
    also?: Also,
  ): Promise<FactorRecord> {
    return this.library.transact((tx) => {
      const changed = change(this.find(userId))
      if (hasFactor(changed)) tx.put(this.#records, userId, changed)
      else this.drop(tx, userId)
      also?.(tx)
      return changed
    })
  }

  /** `change` returns undefined if the proof does not count. */
  #use(userId: string, change: (record: FactorRecord) => FactorRecord | undefined) {
    return this.library.transact((tx) => {
      const record = this.#records.get(userId)
      const changed = record && change(record)
      if (changed) tx.put(this.#records, userId, changed)
      return changed !== undefined
    })
  }
}

export const hasCodes = (): AppError =>
  new AppError('taken', 'This account has codes of an app already')

const hasFactor = ({ codes, passkeys }: FactorRecord) => codes !== null || passkeys.length > 0

/** Throws `not_found`. */
function requirePasskey({ passkeys }: FactorRecord, id: string): PasskeyRecord {
  const passkey = passkeys.find((it) => it.id === id)
  if (!passkey) throw notFound('Passkey')
  return passkey
}

const withPasskey = (record: FactorRecord, changed: PasskeyRecord): FactorRecord => ({
  ...record,
  passkeys: record.passkeys.map((it) => (it.id === changed.id ? changed : it)),
})
