import type { Desktop } from '../../server/contract/desktop'

declare global {
  interface Window {
    /** Present in the app window only; absent in every other browser. */
    desktop?: Desktop
  }
}

/** What only the app window can do; undefined in every other browser. */
export const desktop = window.desktop
