/** How the computer of this browser writes the key of commands. */
export const writeCommandKey = (userAgent: string): string =>
  /Mac|iPhone|iPad/.test(userAgent) ? '⌘' : 'Ctrl+'
