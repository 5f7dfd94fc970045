import { listPages } from '../../../server/contract/routes'

/** The pages that `g` and a letter open. */
export const pagesByKey = listPages('menu', 'palette').flatMap(({ key, label, path }) =>
  key === undefined ? [] : [{ key, label, path }],
)

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
