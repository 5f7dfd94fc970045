import { paths } from '../../paths'

/** The pages that `g` and a letter open. */
export const pagesByKey: readonly { key: string; label: string; path: string }[] = [
  { key: 'd', label: 'Dashboard', path: paths.dashboard },
  { key: 'p', label: 'Projects', path: paths.projects },
  { key: 'f', label: 'My Files', path: paths.myFiles },
  { key: 'b', label: 'Builds', path: paths.builds },
  { key: 'k', label: 'API Keys', path: paths.apiKeys },
]

const OFF = 'slipway:single-keys-off'

/**
 * Keys without Ctrl or ⌘ can be switched off: a voice or a screen reader may type them (WCAG
 * 2.1.4).
 */
export const areSingleKeysOn = (): boolean => localStorage.getItem(OFF) === null

export function switchSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(OFF)
  else localStorage.setItem(OFF, 'yes')
}
