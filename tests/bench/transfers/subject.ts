/** A server that is measured. */
export interface Subject {
  name: string
  /** The process that does the work. */
  pid: number
  /** The folder of what it serves, where it is a plain one. */
  files?: string
  download(name: string): string
  /** The arguments of curl for uploading a file. */
  upload(file: string): string[]
  /** The same for the bytes as they are, under another name where one is given. */
  put(file: string, as?: string): string[]
  /** The same for the only turn of a resumable upload, which is begun here; where there is none, for the bytes. */
  resume(file: string): Promise<string[]>
  /** Removes what the uploads since have left, and makes a fresh start where that is needed. */
  forget(): Promise<void>
  stop(): Promise<void>
}
