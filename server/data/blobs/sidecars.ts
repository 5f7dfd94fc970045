import { open, rm } from 'node:fs/promises'
import type { SidecarName } from './blob-names'
import type { Drafts } from './drafts'
import type { BlobBackend } from './stored-blobs'
import { CREATE_NEW, writeAll } from '../../core/durable-file'

const OF_PACKAGE: readonly SidecarName[] = ['facts.json', 'icon.png', 'index.json', 'devices.json']

/** Writes sidecars of blobs. They are replaced as a whole, so that backups can share them. */
export class Sidecars {
  constructor(
    private readonly backend: BlobBackend,
    private readonly drafts: Pick<Drafts, 'newPath'>,
  ) {}

  /** Returns once the sidecar would survive a power cut. */
  async keep(blobId: string, name: SidecarName, bytes: Uint8Array): Promise<void> {
    const { path, forget } = this.drafts.newPath()
    try {
      const file = await open(path, CREATE_NEW, 0o600)
      try {
        await writeAll(file, bytes)
        await file.sync()
      } finally {
        await file.close()
      }

      await this.backend.accept(path, `${blobId}.${name}`, () => undefined)
    } finally {
      await rm(path, { force: true })
      forget()
    }
  }

  /** Removes the sidecars of a package that are not in `currentNames`. */
  async removeOthers(blobId: string, currentNames: readonly SidecarName[]): Promise<void> {
    const others = OF_PACKAGE.filter((name) => !currentNames.includes(name))
    for (const name of others) await this.backend.removeSidecar(blobId, name)
  }
}
