import { linkEnded } from '../../access/link-ended'
import { FILE_REQUEST_DAYS, FILE_REQUESTS_MAX } from '../../contract'
import type { Sources } from '../../core/clock'
import { AppError } from '../../core/errors'
import type { Library, Transaction } from '../../data/library/library'
import type { FileRequestRecord, Received } from '../../data/records/file-records'
import type { UploadRecord } from '../../data/records/upload-records'
import { formatKinds } from '../../texts/request-view'
import { AccessLinks } from '../access-links/access-links'
import type { Arriving, HeldRoom, StrangersRoom } from '../quota/strangers-room'

type Field = 'name' | 'passwordHash' | 'projectId' | 'mostFiles' | 'mostBytes' | 'kinds'

type Fields = Pick<FileRequestRecord, Field> & { expiresAt: string | undefined }

interface Storage {
  uploads: { unfinishedOfRequest(id: string): readonly UploadRecord[] }
  room: StrangersRoom
}

interface Deps extends Storage {
  library: Library
  sources: Sources
  sessionKeys: readonly string[]
}

/**
 * The file requests of all accounts.
 *
 * A file takes a place of its request from before its first byte: as an unfinished upload, which a
 * crash keeps, or in memory while a form sends it. So of two senders at once only one gets the last
 * place. `receive` counts the file in the transaction that adds it.
 */
export class FileRequestStore extends AccessLinks<FileRequestRecord, Field> {
  readonly #storage: Storage

  constructor({ library, sources, sessionKeys, ...storage }: Deps) {
    super(
      { library, sources, sessionKeys, collection: library.collection('fileRequests') },
      {
        noun: 'File request',
        targetOf: (request) => request.ownerId,
        target: 'An account',
        most: FILE_REQUESTS_MAX,
        usualDays: FILE_REQUEST_DAYS.usual,
        verb: 'End',
      },
    )
    this.#storage = storage
  }

  /** Whether a request has neither expired nor got all that it takes. */
  override isActive(request: FileRequestRecord): boolean {
    return super.isActive(request) && !isFull(request)
  }

  /** Throws `invalid_input` and `too_many_records`. */
  create(ownerId: string, { expiresAt, ...fields }: Fields): Promise<FileRequestRecord> {
    return this.add({ targetId: ownerId, ownerId, expiresAt }, (terms) => ({
      ...terms,
      ...fields,
      files: 0,
      bytes: 0,
    }))
  }

  /**
   * Throws unless another file of this size fits into the request and into the part of the owner's
   * storage that people without an account may use: `not_found` if the request has ended or is
   * full, else `too_many_records` or `quota_exceeded`.
   */
  requireRoom({ id, ownerId }: FileRequestRecord, bytes: number, own?: Arriving): void {
    const request = this.collection.get(id)
    if (!request || !this.isActive(request)) throw linkEnded()

    const { room, uploads } = this.#storage
    const forms = room.countArriving(id, own)
    const unfinished = uploads.unfinishedOfRequest(id)
    if (request.files + forms.requests + unfinished.length >= request.mostFiles) throw placesTaken()

    const arriving = forms.bytes + unfinished.reduce((total, { size }) => total + size, 0)
    if (request.bytes + arriving + bytes > (request.mostBytes ?? Infinity)) throw noRoom()
    if (!room.fits(ownerId, bytes, own)) throw noRoom()
  }

  /** Takes a place for a file that arrives in one request. Throws as `requireRoom` does. */
  hold(request: FileRequestRecord, bytes: number): HeldRoom {
    const { id, ownerId } = request
    return this.#storage.room.hold({ ownerId, at: [id] }, bytes, (total, own) =>
      this.requireRoom(request, total, own),
    )
  }

  /** Counts a file in the transaction that adds it. Throws `not_found` if the request has ended. */
  receive = (tx: Transaction, { requestId }: Received, bytes: number): void => {
    const request = this.collection.get(requestId)
    if (!request || !this.isActive(request)) throw linkEnded()
    const files = request.files + 1
    tx.put(this.collection, requestId, { ...request, files, bytes: request.bytes + bytes })
  }
}

/** Throws `invalid_input` unless the request takes files with this name. */
export function requireKind({ kinds = [] }: FileRequestRecord, filename: string): void {
  const name = filename.toLowerCase()
  if (kinds.length === 0 || kinds.some((kind) => name.endsWith(`.${kind}`))) return
  throw new AppError('invalid_input', `This link takes only ${formatKinds(kinds)} files`, 'file')
}

const isFull = ({ files, mostFiles, bytes, mostBytes }: FileRequestRecord): boolean =>
  files >= mostFiles || bytes >= (mostBytes ?? Infinity)

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
