import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessMissing } from '../../core/durable-file'

/**
 * The folder with the announced commits of each project's Git repositories. Not secret, but in
 * backups too.
 */
export const FEED_HISTORY = 'feed-history'
/** The file of all projects that the folder replaces. */
export const OLD_FEED_HISTORY = 'feed-history.json'

/** Lists the files in the folder, with their paths in the data folder. */
export async function listFeedHistories(dir: string): Promise<string[]> {
  const names = (await unlessMissing(readdir(join(dir, FEED_HISTORY)))) ?? []
  return names.map((name) => `${FEED_HISTORY}/${name}`).filter(isFeedHistory)
}

/** Returns the path of a project's file in the data folder. */
export const feedHistoryOf = (projectId: string): string => `${FEED_HISTORY}/${projectId}.json`

/** Whether this path in a data folder is a file of the folder. */
export const isFeedHistory = (name: string): boolean =>
  /^feed-history\/[\w-]{1,64}\.json$/.test(name)
