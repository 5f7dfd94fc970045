import { readExtension } from '../../contract/files/formats.ts'
import type { ByteSource } from '../../core/byte-source'
import { PartOfPackage, Unreadable, type Look } from './look.ts'
import { PackageFile } from './package-file.ts'
import { readers } from './readers.ts'
import { toShown as toShownText, UNSEEN } from './shown-text.ts'

/** The maximum lengths in the contract, in characters and items. */
const MOST_VERSION = 64
const MOST_TEXT = 100
const MOST_PERMISSIONS = 500
const MOST_ITEMS = 8
const MOST_ENTITLEMENTS = 100

type Opened = Pick<ByteSource, 'read' | 'close'>

/**
 * The look is null for files that are not packages. The reason is a sentence for people; with
 * `retry`, the package was not read and may have facts. `isPart`: no device installs it alone.
 */
export type ReadResult = { look: Look | null } | { reason: string; retry?: true; isPart?: true }

/**
 * Reads the description in a package. Does not open files of other formats. Never throws. Memory is
 * bounded, time is not: `PackageReader` runs this in a worker. `size` is in bytes.
 */
export async function lookInside(
  filename: string,
  size: number,
  open: () => Promise<Opened>,
): Promise<ReadResult> {
  const extension = readExtension(filename)
  if (!extension) return { look: null }

  const bytes = await open().catch(() => undefined)
  if (!bytes) return { reason: 'The file cannot be opened.', retry: true }

  try {
    const look = await readers[extension](new PackageFile(bytes, size))
    return { look: look && cleanLook(look) }
  } catch (cause) {
    if (!(cause instanceof Unreadable)) return { reason: 'The package is damaged.' }
    return { reason: cause.message, ...(cause instanceof PartOfPackage && { isPart: true }) }
  } finally {
    await bytes.close()
  }
}

/** Shortens long texts. Drops a version or id that cannot be shown unchanged. */
function cleanLook({ facts, ...others }: Look): Look {
  const { signer, android, apple } = facts
  return {
    ...others,
    facts: {
      ...facts,
      name: toShown(facts.name),
      app_id: exact(facts.app_id, MOST_TEXT),
      version: exact(facts.version, MOST_VERSION),
      build: exact(facts.build, MOST_VERSION),
      publisher: toShown(facts.publisher),
      architectures: facts.architectures.slice(0, MOST_ITEMS).map((it) => it.slice(0, 20)),
      min_os: toShown(facts.min_os),
      bundle: exact(facts.bundle ?? null, MOST_TEXT) ?? undefined,
      signer: signer && { ...signer, name: toShown(signer.name) },
      android: android && { ...android, permissions: list(android.permissions, MOST_PERMISSIONS) },
      apple: apple && {
        devices: list(apple.devices, MOST_ITEMS),
        profile: apple.profile && { ...apple.profile, team: toShown(apple.profile.team) },
        entitlements: list(apple.entitlements ?? [], MOST_ENTITLEMENTS),
        privacy: (apple.privacy ?? [])
          .slice(0, MOST_ENTITLEMENTS)
          .map(({ key, reason }) => ({ key, reason: toShown(reason) ?? '' })),
      },
    },
  }
}

function exact(text: string | null, most: number): string | null {
  const trimmed = text?.trim() ?? ''
  return trimmed !== '' && trimmed.length <= most && !UNSEEN.test(trimmed) ? trimmed : null
}

const toShown = (text: string | null) => toShownText(text, MOST_TEXT)

const list = (texts: readonly string[], most: number): string[] =>
  texts
    .slice(0, most)
    .map(toShown)
    .filter((text) => text !== null)
