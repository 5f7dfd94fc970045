import { writeFileSync } from 'node:fs'
import { release } from 'node:os'
import { app } from 'electron'

/** A step may take this long, in ms: a slow runner uploads 50 MB in it. */
const STEP_MS = 90_000

interface Step {
  name: string
  ms: number
}

/**
 * The JSON file of a smoke run. It is written before each step, so that a crash leaves the name of
 * the step that it ended.
 */
export class SmokeReport {
  readonly #path: string
  readonly #steps: Step[] = []

  constructor(path: string) {
    this.#path = path
    this.#write({ ok: false, reason: 'Slipway ended while it started' })
  }

  /** Throws with the name of the step. */
  async step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const start = performance.now()
    this.#write({ ok: false, reason: `Slipway ended in: ${name}` })

    const timeout = Promise.withResolvers<never>()
    const timer = setTimeout(() => timeout.reject(new Error('it took too long')), STEP_MS)
    try {
      return await Promise.race([work(), timeout.promise])
    } catch (cause) {
      throw new Error(`${name}: ${messageOf(cause)}`, { cause })
    } finally {
      clearTimeout(timer)
      this.#steps.push({ name, ms: Math.round(performance.now() - start) })
    }
  }

  succeed(): void {
    this.#write({ ok: true })
  }

  /** `page`: the text in the window. */
  fail(error: unknown, page?: string): void {
    this.#write({ ok: false, reason: messageOf(error), page })
  }

  #write(result: { ok: boolean; reason?: string; page?: string | undefined }): void {
    const { versions, platform, arch } = process
    const { electron, node } = versions
    const system = { platform, arch, release: release(), electron, node }
    const report = { ...result, version: app.getVersion(), ...system, steps: this.#steps }
    writeFileSync(this.#path, `${JSON.stringify(report, null, 2)}\n`)
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
