/** A program on this machine, or why there is none. */
export type Found = { path: string } | { missing: string }
