import { readPart } from '../../../core/byte-source'
import type { FileRecord } from '../../../data/records/file-records'
import type { Deps } from '../repository'

/** A signature by the creator of a file. This host does not have their key. */
export interface Signature {
  /** For Sparkle and WinSparkle: Ed25519 over the whole file, in base64. */
  ed25519: string | undefined
  /** For Tauri: the text of a minisign signature, in base64. */
  tauri: string | undefined
}

/** Real signatures have about 400 bytes. */
const MOST_BYTES = 1024

const signatures = new WeakMap<FileRecord, Signature>()

/** Reads an uploaded signature. */
export async function readSignature(
  { data }: Pick<Deps, 'data'>,
  file: FileRecord,
): Promise<Signature> {
  const signature = signatures.get(file) ?? parseSignature(await readText(data, file))
  signatures.set(file, signature)
  return signature
}

/**
 * Parses the text of a signature: the output of Sparkle's `sign_update` or WinSparkle's tool, with
 * or without the attribute around it, or the output of `tauri signer sign`.
 */
export function parseSignature(text: string): Signature {
  const ed25519 = /^\s*(?:sparkle:edSignature=")?([A-Za-z0-9+/]{86}==)(?:"|\s*$)/.exec(text)?.[1]
  const tauri = /^\s*([A-Za-z0-9+/]{100,}={0,2})\s*$/.exec(text)?.[1]
  const isMinisign = Buffer.from(tauri ?? '', 'base64')
    .toString('latin1')
    .startsWith('untrusted comment:')
  return { ed25519, tauri: isMinisign ? tauri : undefined }
}

async function readText({ blobs }: Deps['data'], { blobId, size }: FileRecord): Promise<string> {
  if (size > MOST_BYTES) return ''
  return (await readPart(await blobs.open(blobId), { offset: 0, size })).toString('latin1')
}
