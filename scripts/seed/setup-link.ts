/** The setup link in what a host has printed; undefined: it has a host account, or has printed nothing yet. */
export const setupLinkIn = (output: string): string | undefined => /Create the host account: (\S+)/.exec(output)?.[1]

/** What `POST /api/auth/register` takes as `setup`. */
export const setupTokenOf = (link: string): string => new URL(link).searchParams.get('setup') ?? ''
