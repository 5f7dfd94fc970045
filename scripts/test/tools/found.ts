/** A program on this machine, or what is missing: the words after "needs". */
export type Found = { path: string } | { missing: string }
