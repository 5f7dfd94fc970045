import type { Migrations } from './journal/migrations'

/** What the records of the library look like now. */
export const SCHEMA = 1

/** How older ones become so. Kept for good: a library of any age must open. */
export const MIGRATIONS: Migrations = {}
