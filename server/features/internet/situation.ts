import type { InternetView } from '../../contract'
import { Signal } from '../../core/signal'
import type { TunnelState } from '../../libraries/ssh-tunnel/tunnel'
import { verdictOf, type Facts, type Verdict } from './verdict'

type Step = InternetView['steps'][number]
export type StepName = Step['step']

/** A connection from outside, and to which name or address and port. */
export interface ProofOf {
  at: string
  by: NonNullable<InternetView['proof']>['by']
  family: 'ipv4' | 'ipv6'
  place: string
}

/** What is known now, beyond the settings. */
export interface Known extends Omit<Facts, 'hasPinhole' | 'tunnel' | 'proof'> {
  /** This computer's address toward the router. */
  own: string | null
  router: { address: string; name: string | null; protocols: ('pcp' | 'nat-pmp' | 'upnp')[] } | null
  externalPort: number | null
  /** The global IPv6 address to which a pinhole leads. */
  ipv6: string | null
  /** The public origin. */
  url: string | null
  since: string | null
  proof: ProofOf | null
  steps: Step[]
  hairpin: boolean | null
  tunnel: TunnelState | undefined
  /** Whether a request through the tunnel to its public address arrived. */
  isTunnelProved: boolean
  authorizedKey: string | null
  otherTunnels: InternetView['other_tunnels']
}

/** Before anything was asked or opened. */
const nothing: Known = {
  way: 'off',
  busy: null,
  hasNetwork: true,
  hasVpn: false,
  answers: undefined,
  isSilent: false,
  outer: undefined,
  refusal: null,
  observed: null,
  wantedPort: 443,
  certificate: 'none',
  own: null,
  router: null,
  externalPort: null,
  ipv6: null,
  url: null,
  since: null,
  proof: null,
  steps: [],
  hairpin: null,
  tunnel: undefined,
  isTunnelProved: false,
  authorizedKey: null,
  otherTunnels: [],
}

/** What is known about reaching this host from the internet, and who wants to hear of changes. */
export class Situation {
  #known: Readonly<Known> = nothing
  readonly #changed = new Signal()

  get(): Readonly<Known> {
    return this.#known
  }

  verdict(known: Readonly<Known> = this.#known): Verdict {
    const { tunnel, proof, ipv6, isTunnelProved } = known
    // An SSH server may say that it forwards and listen on its loopback address only.
    const kind = tunnel?.kind === 'open' && !isTunnelProved ? 'connecting' : tunnel?.kind
    const words = wordsOf(tunnel)
    return verdictOf({
      ...known,
      hasPinhole: ipv6 !== null,
      proof: proof?.family ?? null,
      tunnel: kind === undefined ? null : { kind, words },
    })
  }

  update(change: Partial<Known>): void {
    const before = JSON.stringify(this.#known)
    this.#known = { ...this.#known, ...change }
    if (JSON.stringify(this.#known) !== before) this.notify()
  }

  /** Forgets all but what stays true while nothing is open. */
  reset(change: Partial<Known> = {}): void {
    const { authorizedKey, otherTunnels } = this.#known
    this.update({ ...nothing, authorizedKey, otherTunnels, ...change })
  }

  begin(...steps: StepName[]): void {
    this.update({ steps: steps.map((step) => ({ step, state: 'waiting' })) })
  }

  step(name: StepName, state: Step['state']): void {
    this.update({ steps: this.#known.steps.map((it) => (it.step === name ? { step: name, state } : it)) })
  }

  onChange(listener: () => void): () => void {
    return this.#changed.subscribe(listener)
  }

  notify(): void {
    this.#changed.emit()
  }
}

/** The public IPv4 address of this network, as far as known. */
export function publicAddress({ outer, observed }: Pick<Known, 'outer' | 'observed'>): string | undefined {
  return outer && outer.special === undefined ? outer.address : (observed ?? undefined)
}

function wordsOf(tunnel: TunnelState | undefined): string | null {
  if (tunnel?.kind === 'waiting') return tunnel.problem
  return tunnel?.kind === 'failed' ? tunnel.detail : null
}
