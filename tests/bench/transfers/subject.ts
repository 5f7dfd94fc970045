/** A server that is measured. */
export interface Subject {
  name: string
  /** The process that does the work. */
  pid: number
  /** The address of a sample. */
  download: (name: string) => string
  stop: () => Promise<void>
}
