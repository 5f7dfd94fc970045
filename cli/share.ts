import { randomBytes } from 'node:crypto'
import { access } from 'node:fs/promises'
import type { ShareLink } from '../server/contract/files/share-links'
import {
  DAY_MS,
  PASSWORD_MIN,
  SHARE_LINK_DAYS,
  SHARED_DOWNLOADS_MAX,
} from '../server/contract/limits'
import { Failure } from './failure'
import type { Host } from './host'
import { files } from './lists'
import { readSource } from './push'
import { transfer, type Fields } from './transfer'

export interface ShareOptions {
  days?: string | undefined
  /** True: the command makes one. */
  password?: string | true | undefined
  downloads?: string | undefined
}

/** A new share link, as `--json` prints it. */
export interface Shared {
  file_id: string
  share_id: string
  url: string
  expires_at: string
  most_downloads: number | null
  /** The one that the command made; null: none, or the caller's own. */
  password: string | null
}

/** Uploads a file as a private one, or finds it on the host, and makes a share link. */
export async function share(host: Host, path: string, options: ShareOptions): Promise<Shared> {
  // Before the upload: a wrong option must leave no file on the host.
  const days = parseCount('--days', options.days, SHARE_LINK_DAYS.most)
  const mostDownloads = parseCount('--downloads', options.downloads, SHARED_DOWNLOADS_MAX)
  const { password, made } = choosePassword(options.password)

  const fileId = await storeFile(host, path)
  const fields = { expires_at: endIn(days), most_downloads: mostDownloads, password }
  const { share_link: link } = await host.json<{ share_link: ShareLink }>(
    `/api/files/${fileId}/share-links`,
    postJson(fields),
  )

  return {
    file_id: fileId,
    share_id: link.share_id,
    url: link.url ?? '',
    expires_at: link.expires_at,
    most_downloads: link.most_downloads,
    password: made,
  }
}

/** The lines that people read: the address first, for scripts. */
export const linkLines = ({ url, password }: Pick<Shared, 'url' | 'password'>): string[] =>
  password === null ? [url] : [url, `Password: ${password}`]

/**
 * Uploads a file as a private one, and returns its id. One that this computer does not have may be
 * on the host. `also`: more fields of an upload of this size in bytes.
 */
export async function storeFile(
  host: Host,
  path: string,
  also: (size: number) => Fields = () => ({}),
): Promise<string> {
  const isHere = await access(path).then(
    () => true,
    () => false,
  )

  if (!isHere) {
    const stored = (await files(host)).find(
      ({ file_id, filename }) => file_id === path || filename === path,
    )
    if (stored) return stored.file_id
    throw new Failure('usage', `There is no file ${path}, neither here nor among yours on the host`)
  }

  const file = await readSource(host, path)
  return (await transfer(host, file, { is_public: 'false', ...also(file.size) })).file_id
}

/** When a link ends that lasts so many days; undefined: the host decides. */
export const endIn = (days: number | undefined): string | undefined =>
  days === undefined ? undefined : new Date(Date.now() + days * DAY_MS).toISOString()

/** A request with a JSON body; fields that are undefined are left out. */
export const postJson = (fields: object) => ({
  method: 'POST' as const,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(fields),
})

/** Returns the password of a new link. `made`: the one that the command made, else null. */
export function choosePassword(option: ShareOptions['password']) {
  const made = option === true ? randomBytes(9).toString('base64url') : null
  const password = made ?? (option === true ? undefined : option)
  if (password !== undefined && password.length < PASSWORD_MIN)
    throw new Failure('usage', `--password takes at least ${PASSWORD_MIN} characters`)
  return { password, made }
}

/** Parses a whole number of an option. Throws `Failure`. */
export function parseCount(
  option: string,
  input: string | undefined,
  most: number,
): number | undefined {
  if (input === undefined) return undefined
  const count = Number(input)
  if (Number.isInteger(count) && count > 0 && count <= most) return count
  throw new Failure('usage', `${option} takes a whole number from 1 to ${most}, not "${input}"`)
}
