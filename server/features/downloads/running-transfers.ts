/** A response on its way. */
interface Transfer {
  fileIds: ReadonlySet<string>
  /** Whether who receives it may still read all of them. */
  isAllowed(): boolean
  /** Ends it at once, whatever it is waiting for. */
  cut(): void
}

/** How often all transfers are asked again, in ms: rights are lost in many ways, not only through the file itself. */
const ASK_EVERY_MS = 1000

/** The downloads that are going on, so that those of a file end when it is deleted or made private. */
export class RunningTransfers {
  readonly #running = new Set<Transfer>()
  #asking: NodeJS.Timeout | undefined

  get count(): number {
    return this.#running.size
  }

  /** Adds a transfer; call what is returned when it has ended. */
  enter(transfer: Transfer): () => void {
    this.#running.add(transfer)
    this.#asking ??= setInterval(() => this.recheck(), ASK_EVERY_MS).unref()
    return () => {
      this.#running.delete(transfer)
      if (this.#running.size > 0) return
      clearInterval(this.#asking)
      this.#asking = undefined
    }
  }

  /** Cuts what is not allowed any more; of one file, or of all. */
  recheck(fileId?: string): void {
    for (const transfer of this.#running) {
      if (fileId !== undefined && !transfer.fileIds.has(fileId)) continue
      if (!transfer.isAllowed()) transfer.cut()
    }
  }
}
