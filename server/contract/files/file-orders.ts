/** The orders of a list of files: by time, by name, by size. */
export const fileOrders = ['newest', 'oldest', 'name', 'name_desc', 'largest', 'smallest'] as const
export type FileOrder = (typeof fileOrders)[number]
