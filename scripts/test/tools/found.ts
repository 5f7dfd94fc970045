/** A program on this machine, or why it is missing. */
export type Found = { path: string } | { missing: string }
