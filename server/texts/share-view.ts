import type { InstallBuild, InstallView } from './install-view'

/** The page of a share link. Its texts are untrusted, as they come from packages and people. */
export interface ShareView {
  owner: string
  /** When the link ends: UTC ISO 8601. */
  until: string
  /** Complete downloads that are left. Null: no limit. */
  left: number | null
  build: InstallBuild
  /** Platform of the reader. Undefined if unknown. */
  device: InstallView['device']
  /** Null: the file is damaged. */
  offer: InstallView['offer']
  /** Why this device cannot install the file. */
  obstacle: InstallView['obstacle']
}
