import { readPart } from '../../../core/byte-source'
import type { FileRecord } from '../../../data/records/file-records'
import type { Deps } from '../repository'

/** A signature by the creator of a file: this host has no such key. */
export interface Signature {
  /** Sparkle's and WinSparkle's: Ed25519 over the whole file, in base64. */
  ed25519: string | undefined
  /** Tauri's: the text of a minisign signature, in base64. */
  tauri: string | undefined
}

/** Signatures have some 400 bytes. */
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
 * Reads the text of a signature: what Sparkle's `sign_update` or WinSparkle's tool prints, with or
 * without the attribute around it, or what `tauri signer sign` writes.
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
