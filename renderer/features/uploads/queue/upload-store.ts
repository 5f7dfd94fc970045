import type { Upload } from '../upload'

/** `undefined` removes a field. */
export type Changes = { [Key in keyof Upload]?: Upload[Key] | undefined }

export class UploadStore {
  private uploads: readonly Upload[] = []
  private readonly watchers = new Set<() => void>()

  /** Returns a new array after each change, else the same one. */
  readonly list = (): readonly Upload[] => this.uploads

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher)
    return () => this.watchers.delete(watcher)
  }

  find(id: number): Upload | undefined {
    return this.uploads.find((upload) => upload.id === id)
  }

  update(id: number, news: Changes): Upload | undefined {
    this.replace(
      this.uploads.map((upload) => (upload.id === id ? withChanges(upload, news) : upload)),
    )
    return this.find(id)
  }

  replace(uploads: readonly Upload[]): void {
    this.uploads = uploads
    for (const watcher of this.watchers) watcher()
  }
}

function withChanges(upload: Upload, news: Changes): Upload {
  const fields = Object.entries({ ...upload, ...news }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(fields) as unknown as Upload
}
