/** The setup link in a host's output; undefined if it has a host account or printed nothing yet. */
export const setupLinkIn = (output: string): string | undefined =>
  /Create the host account: (\S+)/.exec(output)?.[1]

export const setupTokenOf = (link: string): string => new URL(link).searchParams.get('setup') ?? ''
