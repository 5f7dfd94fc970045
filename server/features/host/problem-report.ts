import { open, readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Rooms } from '../../compose/context'
import { logDir } from '../../core/logging/host-log'
import { redactField, redactText } from '../../core/logging/redact'

/**
 * The most bytes of each log file, from its end: days of logs, small enough for an issue tracker.
 */
const MOST_BYTES = 1024 * 1024

interface Facts {
  dataDir: string
  now: Date
  versions: Record<string, string>
}

const INTRODUCTION = `This file is for a problem report. It contains versions, settings and the
log, without passwords, keys and cookies. It may contain names of your files and of people:
read it before you send it.`

/** Returns a readable report for finding faults, without secrets. */
export async function problemReport(
  context: Rooms<'accounts' | 'data' | 'network'>,
  { dataDir, now, versions }: Facts,
): Promise<string> {
  const { settings, trouble, blobs } = context.data
  const { users } = context.accounts
  const { bound } = context.network

  const state = {
    listening: bound(),
    trouble: trouble(),
    freeBytes: await blobs.free().catch(() => null),
    people: users.all().length,
    uptimeSeconds: Math.round(process.uptime()),
    memoryBytes: process.memoryUsage().rss,
  }

  const parts = [
    `Slipway problem report, ${now.toISOString()}\n\n${INTRODUCTION}`,
    part('Versions', asJson(versions)),
    part('State', asJson(state)),
    part('Settings', asJson(settings.get())),
    ...(await logs(logDir(dataDir))),
  ]

  // The home folder often contains a person's name.
  return redactText(parts.join('\n\n')).replaceAll(homedir(), '~')
}

const asJson = (value: object) => JSON.stringify(value, redactField, 2)
const part = (title: string, text: string) => `== ${title} ==\n${text}`

async function logs(dir: string): Promise<string[]> {
  const names = (await readdir(dir).catch(() => [])).filter((name) =>
    /^slipway(\.\d+)?\.log$/.test(name),
  )
  const newestFirst = names.sort((a, b) => ageOf(a) - ageOf(b))
  return Promise.all(
    newestFirst.map(async (name) => part(`Log: ${name}`, await readTail(join(dir, name)))),
  )
}

const ageOf = (name: string) => Number(/\.(\d+)\./.exec(name)?.[1] ?? 0)

async function readTail(path: string): Promise<string> {
  await using file = await open(path)
  const { size } = await file.stat()
  const start = Math.max(0, size - MOST_BYTES)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
  const text = buffer.toString('utf8', 0, bytesRead)
  return start === 0 ? text : text.slice(text.indexOf('\n') + 1)
}
