import type { IncomingMessage, ServerResponse } from 'node:http'

export interface SmallMapping {
  client: string
  port: number
  /** 0: permanent. */
  lifetimeS: number
  nonce: string | null
}

/** What the router does. A test changes it at any time. */
export interface Behaviour {
  protocols: Set<'pcp' | 'nat-pmp' | 'upnp'>
  /** Empty: it has none. */
  outerAddress: string
  /** Of the Internet Gateway Device. */
  version: 1 | 2
  name: string
  /**
   * The result code with which it refuses to open ports, in the numbers of each protocol;
   * undefined: it opens them.
   */
  refuse: { pcp?: number; natPmp?: number; upnp?: number }
  /** The lifetime that it grants; undefined: as asked. */
  grantsS: number | undefined
  /** PCP: it supports PREFER_FAILURE; otherwise it gives another port in place of a taken one. */
  prefersFailure: boolean
  /** UPnP 1: it replaces the mapping of another device, as many do. */
  overwrites: boolean
  /** Seconds since its start. */
  epoch: number
  /** Replaces a reply of PCP or NAT-PMP to a port of this computer by these packets. */
  tamper: ((reply: Buffer, port: number) => readonly Buffer[]) | undefined
  /** Replaces an answer over HTTP. Returns whether it has answered. */
  http: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  /** The URL in its answer to a search; undefined: its own description. */
  location: string | undefined
}

/** What the parts of a small router share. */
export interface RouterState {
  readonly does: Behaviour
  readonly mappings: Map<number, SmallMapping>
  readonly asked: string[]
  readonly location: string
}
