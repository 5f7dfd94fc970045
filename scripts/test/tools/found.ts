/** A program on this machine, or the missing tools: the words after "needs". */
export type Found = { path: string } | { missing: string }
