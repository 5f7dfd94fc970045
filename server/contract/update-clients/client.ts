import type { Platform } from '../files/platforms'

/** The parts of a project that a client needs. */
export interface Offer {
  /** Address of the project, or of the link of a tester. */
  address: string
  /** Names files and sources. */
  slug: string
  channel: string
  /** Names to install, or the processors of the packages. */
  names: readonly string[]
  /** Fingerprint of the key that signs the repository. */
  fingerprint: string | null
}

/** Instructions for getting updates by a program. */
export interface UpdaterCard {
  title: string
  /** Systems on which the program runs. */
  systems: string
  /** Addresses that open the program. */
  links?: readonly { label: string; address: string }[]
  /** An address to scan with the device. */
  scan?: { address: string; hint: string }
  /** Terminal commands, by program. */
  lines?: Readonly<Record<string, string>>
  /** The addresses that the program reads, each with what its button says. */
  feeds?: readonly { label: string; address: string }[]
  /** Commands are between backticks. */
  note?: string
}

/** A setting of an app whose updater, or browser, asks this host. */
export interface BuiltInFeed {
  /** The program that reads the address, and the place to enter it. */
  label: string
  feed: string
}

/** A program that people add to their device. */
export interface Program {
  /** Undefined: on any computer. */
  runsOn?: readonly Platform[]
  card: (offer: Offer) => UpdaterCard
}

/** An updater inside of the app: people have nothing to add. */
export interface Updater {
  builtIn: (offer: Offer) => BuiltInFeed
}

/** The button that copies the address of the only feed. */
export const oneFeed = (address: string) => [{ label: 'Copy address', address }]
