import { readFile } from 'node:fs/promises'
import { factsSchema } from '../../contract/facts'
import { parseJson } from '../../core/json'
import { isSmallPng } from '../../core/small-png'
import { blobPath } from '../blobs/blob-files'
import type { CompanionName } from '../blobs/blob-shelf'
import type { PromisedBlob } from './records'

const MOST_BYTES = 1024 * 1024

/** Whether everything that belongs beside this blob exists and can be read. */
export async function hasCompanions(dir: string, { blobId, companions }: PromisedBlob): Promise<boolean> {
  for (const name of companions) if (!(await isIntact(dir, blobId, name))) return false
  return true
}

async function isIntact(dir: string, blobId: string, name: CompanionName): Promise<boolean> {
  const bytes = await readFile(blobPath(dir, `${blobId}.${name}`)).catch(() => undefined)
  if (bytes === undefined || bytes.length > MOST_BYTES) return false
  return name === 'icon.png' ? isSmallPng(bytes) : factsSchema.safeParse(parseJson(bytes.toString())).success
}
