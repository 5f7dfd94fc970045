/** A server that is measured. */
export interface Subject {
  name: string
  /** The process that does the work. */
  pid: number
  /** The folder that it serves, if it is a plain one. */
  files?: string
  download(name: string): string
  /** The arguments of curl for uploading a file. */
  upload(file: string): string[]
  /** The same for the bytes as they are, under another name where one is given. */
  put(file: string, as?: string): string[]
  /** The same for the only request of a resumable upload, which is created here; otherwise for the raw bytes. */
  resume(file: string): Promise<string[]>
  /** Removes the files of the uploads since, and restarts if needed. */
  forget(): Promise<void>
  stop(): Promise<void>
}
