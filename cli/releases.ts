import { readFile } from 'node:fs/promises'
import type { Release } from '../server/contract/projects/releases'
import { Failure } from './failure'
import type { Host } from './host'

const buildPath = (project: string, rest: string) =>
  `/api/projects/${encodeURIComponent(project)}/releases${rest}`

export const withBody = (method: 'POST' | 'PUT', body: object) => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const GET_A_KEY =
  'Run slipway login again and select “Also promote and withdraw releases”, or create a key ' +
  'that can manage on the page "API Keys" of the host.'

interface Wish {
  version?: string | undefined
  channel?: string | undefined
  notes?: string | undefined
  rollout?: string | undefined
}

/**
 * Creates the release that the files will join, or changes it, so that its first file appears with
 * its notes.
 */
export async function prepareRelease(
  host: Host,
  project: string | undefined,
  wish: Wish,
): Promise<void> {
  const { version, channel, notes, rollout } = wish
  if (channel === undefined && notes === undefined && rollout === undefined) return
  if (project === undefined || version === undefined)
    throw new Failure('usage', '--channel, --notes and --rollout need --project and --version')

  const fields = {
    ...(channel === undefined ? {} : { channel }),
    ...(notes === undefined ? {} : { notes: await readNotes(notes) }),
    ...(rollout === undefined ? {} : { rollout: parsePercentage(rollout) }),
  }

  try {
    await host.json(buildPath(project, ''), withBody('POST', { version, ...fields }))
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'taken')) throw error
    await changeRelease(
      host,
      buildPath(project, `/${encodeURIComponent(version)}`),
      withBody('PUT', fields),
    )
  }
}

/** `@` names a file. */
async function readNotes(notes: string): Promise<string> {
  if (!notes.startsWith('@')) return notes
  return readFile(notes.slice(1), 'utf8').catch((cause: unknown) => {
    throw new Failure('usage', `${notes.slice(1)} cannot be read: ${(cause as Error).message}`)
  })
}

interface Promoted {
  release: Release
  /** The ids of the files that became public with it. */
  made_public: string[]
}

/** Moves a release to another channel, with `make_public` also its private files to visitors. */
export function promote(
  host: Host,
  project: string,
  version: string,
  to: { channel?: string | undefined; make_public: boolean },
): Promise<Promoted> {
  const path = buildPath(project, `/${encodeURIComponent(version)}/promote`)
  return sendChange<Promoted>(host, path, withBody('POST', to))
}

/** Says where a release is, which files became public, and which stay private. */
export function promotionLines({ release, made_public }: Promoted): string[] {
  const { version, channel, files } = release
  const published = files.filter(({ file_id }) => made_public.includes(file_id))
  const hidden = files.filter(({ is_public }) => !is_public)
  const mayPublish = hidden.some(({ can }) => can.includes('publish'))

  return [
    `${version} is in the channel ${channel}`,
    ...(published.length > 0 ? [`Made public: ${listNames(published)}`] : []),
    ...(hidden.length > 0 ? [`Still private: ${listNames(hidden)}`] : []),
    ...(mayPublish ? ['To let visitors get them, repeat the command with --make-public'] : []),
  ]
}

const listNames = (files: Release['files']) => files.map(({ filename }) => filename).join(', ')

/** Sets the percentage of apps with electron-updater that take a release. */
export async function setRollout(
  host: Host,
  project: string,
  version: string,
  rollout: number,
): Promise<Release> {
  return changeRelease(
    host,
    buildPath(project, `/${encodeURIComponent(version)}`),
    withBody('PUT', { rollout }),
  )
}

/** Reads 1 to 100, with or without a percent sign. Throws `Failure`. */
export function parsePercentage(input: string): number {
  const [, digits] = /^(\d{1,3}) ?%?$/.exec(input) ?? []
  const percentage = Number(digits)
  if (percentage >= 1 && percentage <= 100) return percentage
  throw new Failure('usage', `${input} is no percentage: choose 1 to 100`)
}

/** Takes a release off every page, list and link. */
export async function withdraw(host: Host, project: string, version: string): Promise<Release> {
  const path = buildPath(project, `/${encodeURIComponent(version)}/withdraw`)
  return changeRelease(host, path, withBody('POST', {}))
}

async function changeRelease(
  host: Host,
  path: string,
  request: ReturnType<typeof withBody>,
): Promise<Release> {
  return (await sendChange<{ release: Release }>(host, path, request)).release
}

/**
 * Sends a change. Throws `Failure`; if the key may only upload, it says how to get one that may do
 * this.
 */
export async function sendChange<Reply>(
  host: Host,
  path: string,
  request: ReturnType<typeof withBody>,
): Promise<Reply> {
  try {
    return await host.json<Reply>(path, request)
  } catch (error) {
    if (!(error instanceof Failure && error.message.includes('"manage"'))) throw error
    throw new Failure('not_allowed', `${error.message}. ${GET_A_KEY}`, error.code)
  }
}

/** The newest release, and the address of its best file or its page. */
export async function latest(
  host: Host,
  project: string,
  filters: Readonly<Record<string, string | undefined>>,
): Promise<{ release: Release; url: string }> {
  const chosen = Object.entries(filters).filter((it): it is [string, string] => it[1] !== undefined)
  const query = new URLSearchParams(chosen).toString()
  const { release, url } = await host.json<{ release: Release; url: string }>(
    buildPath(project, `/latest?${query}`),
  )
  return { release, url: new URL(url, host.url).href }
}
