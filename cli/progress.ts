import { formatSize } from '../server/texts/format'
import type { LocalFile } from './local-file'

/** A plain line this often where no terminal shows a moving one, in ms. */
const LINE_MS = 10_000
const REDRAW_MS = 100

/**
 * Shows how much of a file is sent: one moving line on a terminal, a plain line every 10 s in a
 * log.
 */
export class Progress {
  readonly #started = Date.now()
  readonly #out = process.stderr
  #shown = Date.now()
  #first: number | undefined

  constructor(
    private readonly isQuiet: boolean,
    private readonly file: Pick<LocalFile, 'filename' | 'size'>,
  ) {}

  /** `sent` is in bytes. */
  show(sent: number): void {
    if (this.isQuiet) return
    this.#first ??= sent
    const now = Date.now()
    if (now - this.#shown < (this.#out.isTTY ? REDRAW_MS : LINE_MS)) return
    this.#shown = now
    this.#write(this.#line(sent))
  }

  /** Clears the moving line, for other output. */
  end(): void {
    if (this.#out.isTTY && !this.isQuiet) this.#out.write('\r\x1b[K')
  }

  #write(line: string): void {
    this.#out.write(
      this.#out.isTTY ? `\r\x1b[K${line.slice(0, this.#out.columns - 1)}` : `${line}\n`,
    )
  }

  #line(sent: number): string {
    const { filename, size } = this.file
    const percent = Math.floor((100 * sent) / size)
    const perSecond = ((sent - (this.#first ?? 0)) * 1000) / Math.max(1, Date.now() - this.#started)
    const remaining = perSecond > 0 ? `, ${Math.ceil((size - sent) / perSecond)} s left` : ''
    return (
      `${filename}: ${percent} % of ${formatSize(size)}, ` +
      `${formatSize(Math.round(perSecond))}/s${remaining}`
    )
  }
}
