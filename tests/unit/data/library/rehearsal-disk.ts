import { realDisk, type Disk, type DiskFile } from '../../../../server/core/durable-file'

export type Operation = 'open' | 'write' | 'sync' | 'datasync' | 'truncate' | 'rename'

/** A real disk that can fail, shorten writes and wait on command. */
export class RehearsalDisk implements Disk {
  /** Throws or waits, where the operation has to fail or be slow. */
  before: (operation: Operation, path: string) => void | Promise<void> = () => undefined
  /** How much of a write the disk takes. */
  taken = (length: number) => length
  readonly operations: Operation[] = []

  async open(path: string, flags: string | number, mode?: number): Promise<DiskFile> {
    await this.#about('open', path)
    const file = await realDisk.open(path, flags, mode)
    return {
      write: async (bytes, offset, length) => {
        await this.#about('write', path)
        return file.write(bytes, offset, this.taken(length))
      },
      sync: async () => {
        await this.#about('sync', path)
        await file.sync()
      },
      datasync: async () => {
        await this.#about('datasync', path)
        await file.datasync()
      },
      truncate: async (length) => {
        await this.#about('truncate', path)
        await file.truncate(length)
      },
      close: () => file.close(),
    }
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#about('rename', to)
    await realDisk.rename(from, to)
  }

  rm(path: string, options: { force: true }): Promise<void> {
    return realDisk.rm(path, options)
  }

  async #about(operation: Operation, path: string): Promise<void> {
    this.operations.push(operation)
    await this.before(operation, path)
  }
}

export const diskError = (code: string) => Object.assign(new Error(`${code}: rehearsed`), { code })
