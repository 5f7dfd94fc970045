import { isIPv6 } from 'node:net'
import type { InternetView } from '../../contract'
import { Signal } from '../../core/signal'
import type { TunnelState } from '../../libraries/ssh-tunnel/tunnel'
import { verdictOf, type Facts, type Verdict } from './verdict'

type Step = InternetView['steps'][number]
export type StepName = Step['step']

/** A connection from outside, with the name or address and the port that it used. */
export interface ProofOf {
  at: string
  by: NonNullable<InternetView['proof']>['by']
  family: 'ipv4' | 'ipv6'
  place: string
}

/** The facts that a check of the network finds out. A check opens nothing. */
export interface NetworkFacts extends Pick<
  Facts,
  'hasNetwork' | 'hasVpn' | 'answers' | 'outer' | 'observed'
> {
  /** This computer's address in the router's network. */
  own: string | null
  router: { address: string; name: string | null; protocols: ('pcp' | 'nat-pmp' | 'upnp')[] } | null
}

/** The known facts, besides the settings. */
export interface InternetFacts
  extends NetworkFacts, Omit<Facts, keyof NetworkFacts | 'hasPinhole' | 'tunnel' | 'proof'> {
  externalPort: number | null
  /** The global IPv6 address that a pinhole leads to. */
  ipv6: string | null
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

/** The facts before anything was asked or opened. */
export const nothing: InternetFacts = {
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

type Checked = NetworkFacts & Pick<InternetFacts, 'authorizedKey' | 'otherTunnels'>

/** The events that change the state, and their effects. */
const reducers = {
  busy: (_: InternetFacts, busy: InternetFacts['busy']) => ({ busy }),
  opening: (_: InternetFacts, way: 'router' | 'tunnel') => ({ way, busy: 'opening' as const }),
  /** Keeps only facts that are true while nothing is open. */
  closed: ({ authorizedKey, otherTunnels }: InternetFacts) => ({
    ...nothing,
    authorizedKey,
    otherTunnels,
  }),
  crashed: (_: InternetFacts, words: string) => ({
    refusal: { reason: 'silent' as const, code: null, holder: null, words },
  }),
  checked: (_: InternetFacts, facts: Partial<Checked>) => facts,
  steps: (_: InternetFacts, ...names: StepName[]) => ({
    steps: names.map((step) => ({ step, state: 'waiting' as const })),
  }),
  step: ({ steps }: InternetFacts, name: StepName, state: Step['state']) => ({
    steps: withStep(steps, name, state),
  }),
  portChosen: (_: InternetFacts, wantedPort: number) => ({ wantedPort }),
  mapped: (_: InternetFacts, externalPort: number, refusal: InternetFacts['refusal']) => ({
    externalPort,
    refusal,
  }),
  mappingLost: (_: InternetFacts, refusal: InternetFacts['refusal']) => ({
    refusal,
    isSilent: false,
  }),
  silent: (_: InternetFacts, isSilent: boolean) => ({ isSilent }),
  pinhole: (_: InternetFacts, ipv6: string) => ({ ipv6, certificate: 'none' as const }),
  pinholeLost: () => ({ ipv6: null }),
  certified: (_: InternetFacts, certificate: InternetFacts['certificate']) => ({ certificate }),
  published: (
    facts: InternetFacts,
    url: string,
    externalPort: number,
    now: Date,
    proof = facts.proof,
  ) => {
    const { url: before, since, way } = facts
    const isSame =
      way === 'tunnel' || (before !== null && new URL(before).host === new URL(url).host)

    return { url, externalPort, proof, since: (isSame ? since : null) ?? now.toISOString() }
  },
  unnamed: () => ({ url: null, proof: null }),
  withdrawn: () => ({ url: null, since: null, proof: null }),
  doubted: () => ({ proof: null }),
  proved: ({ steps, isTunnelProved: wasProved }: InternetFacts, proof: ProofOf) => ({
    proof,
    steps: withStep(steps, 'proof', 'done'),
    isTunnelProved: wasProved || proof.by === 'request',
  }),
  hairpin: (_: InternetFacts, hairpin: boolean) => ({ hairpin }),
  tunnel: ({ steps }: InternetFacts, tunnel: TunnelState | undefined) => {
    if (tunnel?.kind === 'open') return { tunnel }
    const isEnded = tunnel?.kind !== 'connecting'
    return {
      tunnel,
      url: null,
      isTunnelProved: false,
      steps: isEnded ? withStep(steps, 'tunnel', 'failed') : steps,
    }
  },
} satisfies Record<string, (facts: InternetFacts, ...payload: never[]) => Partial<InternetFacts>>

type Reducers = typeof reducers
type Payload<Event extends keyof Reducers> =
  Parameters<Reducers[Event]> extends [InternetFacts, ...infer Rest] ? Rest : []

/** The facts about reaching this host from the internet. Only events change them. */
export class Situation {
  #known: Readonly<InternetFacts> = nothing
  readonly #changed = new Signal()

  get(): Readonly<InternetFacts> {
    return this.#known
  }

  apply<Event extends keyof Reducers>(event: Event, ...payload: Payload<Event>): void {
    const reduce = reducers[event] as (
      facts: InternetFacts,
      ...payload: Payload<Event>
    ) => Partial<InternetFacts>
    const before = JSON.stringify(this.#known)
    this.#known = { ...this.#known, ...reduce(this.#known, ...payload) }
    if (JSON.stringify(this.#known) !== before) this.notify()
  }

  onChange(listener: () => void): () => void {
    return this.#changed.subscribe(listener)
  }

  notify(): void {
    this.#changed.emit()
  }
}

/** Derives the verdict from the facts. */
export function judge({ tunnel, isTunnelProved, ...facts }: Readonly<InternetFacts>): Verdict {
  // An SSH server may report forwarding, but listen on its loopback address only.
  const kind = tunnel?.kind === 'open' && !isTunnelProved ? 'connecting' : tunnel?.kind
  return verdictOf({
    ...facts,
    hasPinhole: facts.ipv6 !== null,
    proof: facts.proof?.family ?? null,
    tunnel: kind === undefined ? null : { kind, words: wordsOf(tunnel) },
  })
}

/** The public IPv4 address of this network, as far as known. */
export function publicAddress({
  outer,
  observed,
}: Pick<InternetFacts, 'outer' | 'observed'>): string | undefined {
  return outer && outer.special === undefined ? outer.address : (observed ?? undefined)
}

/** Returns the public origin for a name or address. */
export function publicOrigin(
  { certificate }: InternetFacts,
  subject: string,
  port: number,
): string {
  const host = isIPv6(subject) ? `[${subject}]` : subject
  return new URL(`${certificate === 'valid' ? 'https' : 'http'}://${host}:${port}`).origin
}

function wordsOf(tunnel: TunnelState | undefined): string | null {
  if (tunnel?.kind === 'waiting') return tunnel.problem
  return tunnel?.kind === 'failed' ? tunnel.detail : null
}

const withStep = (steps: Step[], step: StepName, state: Step['state']): Step[] =>
  steps.map((it) => (it.step === step ? { step, state } : it))
