import type { Desktop } from '../../server/contract/desktop'

declare global {
  interface Window {
    /** Present in the app window only; absent in every other browser. */
    desktop?: Desktop
  }
}

/** Calls back whenever the host is shared on its network, or no longer; in other browsers never. Undo with the reply. */
export const onHostChanged = (listener: () => void): (() => void) | undefined => window.desktop?.onHostChanged(listener)
