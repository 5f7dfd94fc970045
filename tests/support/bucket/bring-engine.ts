import { unpacked } from '../system/debian'
import { noEngine } from './engine'

/** Downloads the engine before the first test, whose time limit does not allow for that. */
export default async function bringEngine(): Promise<void> {
  if (noEngine === undefined) await unpacked('ceph')
}
