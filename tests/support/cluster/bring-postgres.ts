import { unpacked } from '../system/debian'
import { needsPostgres } from './postgres'

/** Downloads PostgreSQL before the first test, whose time limit does not allow for that. */
export default async function bringPostgres(): Promise<void> {
  if (needsPostgres) await unpacked('postgresql')
}
