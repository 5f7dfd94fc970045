import type { Endpoint } from '../../../server/contract'

/** One line per call. The build replaces this by a table: see scripts/build/lean-contract.ts. */
export const summaryOf = ({ summary }: Endpoint): string => summary
