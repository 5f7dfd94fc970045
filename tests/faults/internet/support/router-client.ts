import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Machine } from '../../../support/internet/namespaces'
import type { Calls } from './router-client-worker'

const WORKER = join(import.meta.dirname, 'router-client-worker.ts')

interface Reply {
  id: number
  value?: unknown
  error?: { message: string }
}

/** Our clients of routers, on a machine of the lab. It ends with the lab. */
export class RouterClient {
  #id = 0
  readonly #waiting = new Map<number, (reply: Reply) => void>()

  private constructor(private readonly worker: ChildProcess) {
    worker.on('message', (reply: Reply) => this.#waiting.get(reply.id)?.(reply))
  }

  static async on(machine: Machine): Promise<RouterClient> {
    const words = [...machine.enter, process.execPath, '--import', 'tsx', WORKER]
    const worker = spawn('env', words, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    await once(worker, 'message')
    return new RouterClient(worker)
  }

  /** Runs a call there. Throws what it threw, with the fields of a MappingError. */
  async ask<Name extends keyof Calls>(
    name: Name,
    ...args: Parameters<Calls[Name]>
  ): Promise<Awaited<ReturnType<Calls[Name]>>> {
    const id = ++this.#id
    const { promise, resolve } = Promise.withResolvers<Reply>()
    this.#waiting.set(id, resolve)
    this.worker.send({ id, name, args })
    const { value, error } = await promise
    this.#waiting.delete(id)
    if (error) throw Object.assign(new Error(error.message), error)
    return value as Awaited<ReturnType<Calls[Name]>>
  }
}
