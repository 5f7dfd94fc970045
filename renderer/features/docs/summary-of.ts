import type { Endpoint } from '../../../server/contract'

/** What a call does, in one line. The build puts a table in its place: see scripts/build/lean-contract.ts. */
export const summaryOf = ({ summary }: Endpoint): string => summary
