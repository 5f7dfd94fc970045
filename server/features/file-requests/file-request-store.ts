import { hashOfToken } from '../../access/link-token'
import { linkEnded, type LinkTerms } from '../../access/link-terms'
import {
  FILE_REQUEST_DAYS,
  FILE_REQUESTS_MAX,
  RECEIVED_SHARE,
  tierQuota,
  type Tier,
} from '../../contract'
import type { Sources } from '../../core/clock'
import { AppError, notFound } from '../../core/errors'
import type {
  Collection,
  Index,
  Library,
  Transaction,
  UniqueIndex,
} from '../../data/library/library'
import type { FileRequestRecord, Received } from '../../data/records/file-records'
import type { UploadRecord } from '../../data/records/upload-records'
import type { FileStore } from '../files/file-store'
import type { Counts } from '../stats/counts'

type Fields = Pick<
  FileRequestRecord,
  'name' | 'passwordHash' | 'projectId' | 'mostFiles' | 'mostBytes'
> & { expiresAt: string | undefined }

type Change = { [Name in keyof Fields]: Fields[Name] | undefined }

interface Deps {
  library: Library
  sources: Sources
  linkTerms: LinkTerms
  counts: Pick<Counts, 'forgetAccessLink'>
  files: Pick<FileStore, 'receivedBy'>
  uploads: {
    unfinishedOfRequest(id: string): readonly UploadRecord[]
    /** Bytes of the unfinished uploads of people without an account. */
    unfinishedReceivedBy(userId: string): number
  }
  tierOf: (userId: string) => Tier
}

/** A file that arrives in one request, which no record names yet. */
interface Arriving {
  readonly request: FileRequestRecord
  bytes: number
}

/** A place for such a file. */
export interface HeldPlace extends Disposable {
  /** Call before byte `bytes`. Throws as `requireRoom` does. */
  cover(bytes: number): void
}

/**
 * The file requests of all accounts.
 *
 * A file takes a place of its request from before its first byte: as an unfinished upload, which a
 * crash keeps, or in memory while a form sends it. So of two senders at once only one gets the last
 * place. `receive` counts the file in the transaction that adds it.
 */
export class FileRequestStore {
  readonly collection: Collection<FileRequestRecord>
  readonly #byHash: UniqueIndex<FileRequestRecord>
  readonly #byOwner: Index<FileRequestRecord>
  readonly #arriving = new Set<Arriving>()

  constructor(private readonly deps: Deps) {
    this.collection = deps.library.collection('fileRequests')
    this.#byHash = this.collection.uniqueIndex((request) => request.tokenHash)
    this.#byOwner = this.collection.index((request) => request.ownerId)
  }

  /** Lists the requests of an account, newest first, including ended ones. */
  ofOwner(userId: string): FileRequestRecord[] {
    return [...this.#byOwner.get(userId)].reverse()
  }

  /** Returns a request of an account. Throws `not_found`. */
  require(ownerId: string, id: string): FileRequestRecord {
    const request = this.collection.get(id)
    if (request?.ownerId !== ownerId) throw notFound('File request')
    return request
  }

  /** Finds the request with this token, unless it has expired. */
  current(token: string): FileRequestRecord | undefined {
    const request = this.#byHash.get(hashOfToken(token))
    return request && this.deps.linkTerms.isCurrent(request) ? request : undefined
  }

  /** Whether a request has neither expired nor got all that it takes. */
  isActive(request: FileRequestRecord): boolean {
    return this.deps.linkTerms.isCurrent(request) && !isFull(request)
  }

  /** Whether the request of a sender still has the same address and password. */
  holds(request: FileRequestRecord): boolean {
    return this.deps.linkTerms.holds(request, this.collection.get(request.id))
  }

  /** Throws `invalid_input` and `too_many_records`. */
  create(ownerId: string, { expiresAt, ...fields }: Fields): Promise<FileRequestRecord> {
    return this.deps.library.transact((tx) => {
      if (this.#byOwner.get(ownerId).length >= FILE_REQUESTS_MAX) throw tooManyRequests()

      const { sources, linkTerms } = this.deps
      const request: FileRequestRecord = {
        id: sources.newId(),
        ownerId,
        ...fields,
        ...linkTerms.newAddress(),
        createdAt: sources.now().toISOString(),
        expiresAt: linkTerms.chooseEnd(expiresAt, FILE_REQUEST_DAYS.usual),
        files: 0,
        bytes: 0,
      }

      tx.put(this.collection, request.id, request)
      return request
    })
  }

  /** Changes a request. Undefined keeps a value. Throws `not_found` and `invalid_input`. */
  change(ownerId: string, id: string, change: Change): Promise<FileRequestRecord> {
    return this.deps.library.transact((tx) => {
      const current = this.require(ownerId, id)
      const {
        name = current.name,
        passwordHash = current.passwordHash,
        projectId = current.projectId,
        mostFiles = current.mostFiles,
        mostBytes = current.mostBytes,
      } = change

      const expiresAt = this.deps.linkTerms.changeEnd(current, change.expiresAt)
      const limits = { mostFiles, mostBytes, expiresAt }
      const changed = { ...current, name, passwordHash, projectId, ...limits }
      tx.put(this.collection, id, changed)
      return changed
    })
  }

  /** Replaces the address of a request. Throws `not_found`. */
  renew(ownerId: string, id: string): Promise<FileRequestRecord> {
    return this.deps.library.transact((tx) => {
      const renewed = { ...this.require(ownerId, id), ...this.deps.linkTerms.newAddress() }
      tx.put(this.collection, id, renewed)
      return renewed
    })
  }

  /** Removes a request and its counts. Its files stay. */
  async remove({ id }: FileRequestRecord): Promise<void> {
    await this.deps.library.transact((tx) => {
      tx.delete(this.collection, id)
      this.deps.counts.forgetAccessLink(tx, id)
    })
  }

  /**
   * Throws unless another file of this size fits into the request and into the part of the owner's
   * storage that people without an account may use: `not_found` if the request has ended or is
   * full, else `too_many_records` or `quota_exceeded`.
   */
  requireRoom({ id, ownerId }: FileRequestRecord, bytes: number, own?: Arriving): void {
    const request = this.collection.get(id)
    if (!request || !this.isActive(request)) throw linkEnded()

    const { files, uploads, tierOf } = this.deps
    const forms = [...this.#arriving].filter((it) => it !== own)
    const here = forms.filter((it) => it.request.id === id)
    const unfinished = uploads.unfinishedOfRequest(id)
    if (request.files + here.length + unfinished.length >= request.mostFiles) throw placesTaken()

    const arriving = sum(here) + unfinished.reduce((total, { size }) => total + size, 0)
    if (request.bytes + arriving + bytes > (request.mostBytes ?? Infinity)) throw noRoom()

    const ofOwner = sum(forms.filter((it) => it.request.ownerId === ownerId))
    const received = files.receivedBy(ownerId) + uploads.unfinishedReceivedBy(ownerId) + ofOwner
    if (received + bytes > tierQuota[tierOf(ownerId)] * RECEIVED_SHARE) throw noRoom()
  }

  /** Takes a place for a file that arrives in one request. Throws as `requireRoom` does. */
  hold(request: FileRequestRecord, bytes: number): HeldPlace {
    this.requireRoom(request, bytes)
    const arriving = { request, bytes }
    this.#arriving.add(arriving)

    return {
      cover: (total) => {
        // A body without a length grows.
        if (total <= arriving.bytes) return
        this.requireRoom(request, total, arriving)
        arriving.bytes = total
      },
      [Symbol.dispose]: () => void this.#arriving.delete(arriving),
    }
  }

  /** Counts a file in the transaction that adds it. Throws `not_found` if the request has ended. */
  receive = (tx: Transaction, { requestId }: Received, bytes: number): void => {
    const request = this.collection.get(requestId)
    if (!request || !this.isActive(request)) throw linkEnded()
    const files = request.files + 1
    tx.put(this.collection, requestId, { ...request, files, bytes: request.bytes + bytes })
  }
}

const isFull = ({ files, mostFiles, bytes, mostBytes }: FileRequestRecord): boolean =>
  files >= mostFiles || bytes >= (mostBytes ?? Infinity)

const sum = (arriving: readonly Arriving[]) =>
  arriving.reduce((total, { bytes }) => total + bytes, 0)

/** For senders: it names neither the storage of the owner nor its use. */
export const noRoom = (): AppError =>
  new AppError(
    'quota_exceeded',
    'The file does not fit: there is no room for it. Tell the person who asked for files',
    'file',
  )

const placesTaken = () =>
  new AppError(
    'too_many_records',
    'Other files are arriving, and this link takes no more. Try again later',
  )

const tooManyRequests = () =>
  new AppError(
    'too_many_records',
    `An account can have ${FILE_REQUESTS_MAX} file requests. End those that you no longer need`,
  )
