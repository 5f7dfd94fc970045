/** Escapes the characters that Markdown and HTML give a meaning. */
export const escapeMarkdown = (text: string): string =>
  text.replace(/[\\*_~`|<>[\]()#]/g, String.raw`\$&`)

/** Adds a zero-width space after each @, so that no user is notified. */
export const withoutMentions = (text: string): string => text.replaceAll('@', '@\u200B')
