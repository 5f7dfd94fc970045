import type { Allowance } from '../access/allowance'
import type { Data } from './data'
import type { Deps, HostDeps } from './deps'
import type { ServerConfig } from './server-config'

/** The dependencies of every room. */
export interface Foundation extends Deps {
  config: ServerConfig
  hostDeps: HostDeps
  data: Data
  allowance: Allowance
}
