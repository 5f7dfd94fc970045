const SAY_MS = 30_000

interface Running {
  since: number
  done: number
  said: number
}

/** Running steps: a live line each on a terminal, periodic plain lines elsewhere. */
export class Progress {
  readonly #running = new Map<string, Running>()
  readonly #timer = setInterval(() => this.#tick(), 1000)
  #drawn = 0

  constructor(private readonly out: Pick<NodeJS.WriteStream, 'write' | 'isTTY'> = process.stdout) {}

  begin(name: string): (done: number) => void {
    const step = { since: performance.now(), done: 0, said: performance.now() }
    this.#running.set(name, step)
    this.#draw()
    return (done) => void (step.done = done)
  }

  end(name: string, line: string): void {
    this.#running.delete(name)
    this.#clear()
    this.out.write(`${line}\n`)
    this.#draw()
  }

  close(): void {
    clearInterval(this.#timer)
    this.#clear()
  }

  #tick(): void {
    if (this.out.isTTY) return this.#draw()
    for (const [name, step] of this.#running) {
      if (performance.now() - step.said < SAY_MS) continue
      step.said = performance.now()
      this.out.write(`${lineOf(name, step)}\n`)
    }
  }

  #draw(): void {
    if (!this.out.isTTY) return
    this.#clear()
    for (const [name, step] of this.#running) this.out.write(`${lineOf(name, step)}\n`)
    this.#drawn = this.#running.size
  }

  #clear(): void {
    if (this.#drawn > 0) this.out.write(`\x1b[${this.#drawn}A\x1b[J`)
    this.#drawn = 0
  }
}

function lineOf(name: string, { since, done }: Running): string {
  const seconds = Math.round((performance.now() - since) / 1000)
  return `${name.padEnd(12)}… ${done > 0 ? `${done} done, ` : ''}${seconds} s`
}
