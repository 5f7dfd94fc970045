import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { realDisk, unlessMissing } from '../../../core/durable-file'
import type { PostgresClient } from '../connection'
import { PostgresError } from '../postgres-error'
import type { FileCipher } from './file-cipher'
import { listShared, placeFile, readFileRows } from './shared-files'

/**
 * Puts what all hosts will share into PostgreSQL, as of the commit `seq`, within a transaction, and
 * compares it.
 */
export async function putFiles(
  client: PostgresClient,
  dir: string,
  cipher: FileCipher,
  seq: number,
): Promise<void> {
  const texts = new Map<string, Buffer>()
  for (const name of await listShared(dir)) {
    const text = await unlessMissing(readFile(join(dir, name)))
    if (text === undefined) continue
    texts.set(name, text)
    const content = await cipher.seal({ name, version: 1 }, text)
    await client.query(
      'insert into slipway.file (name, version, content, seq) values ($1, 1, $2, $3)',
      [name, content, seq],
    )
  }

  const returned = await openAll(client, cipher)
  const isSame = [...texts].every(([name, text]) => returned.get(name)?.equals(text))
  if (!isSame || returned.size !== texts.size)
    throw new PostgresError('PostgreSQL does not return the files as they were written')
}

/** Writes what the hosts shared into a data folder, and removes what they do not have any more. */
export async function getFiles(
  client: PostgresClient,
  dir: string,
  cipher: FileCipher,
): Promise<void> {
  const texts = await openAll(client, cipher)
  for (const name of new Set([...(await listShared(dir)), ...texts.keys()])) {
    const text = texts.get(name)
    if (text === undefined) await realDisk.rm(join(dir, name), { force: true })
    else await placeFile(join(dir, name), text)
  }
}

async function openAll(client: PostgresClient, cipher: FileCipher): Promise<Map<string, Buffer>> {
  const texts = new Map<string, Buffer>()
  for (const { name, version, content } of await readFileRows(client, -1))
    if (content !== null) texts.set(name, await cipher.open({ name, version }, content))
  return texts
}
