/**
 * Props of an input for an address, a name or a key: the browser neither suggests nor corrects it.
 */
export const plainInput = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
} as const
