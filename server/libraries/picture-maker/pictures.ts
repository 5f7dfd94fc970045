/** The most pixels of one size of a picture. */
export interface Size {
  width: number
  height: number
}

/**
 * How a picture is fitted into each of its sizes, the largest first. What is smaller is not
 * enlarged.
 */
export interface Shape {
  /**
   * `contain`: the whole picture on a transparent box. `cover`: a part of it fills the box.
   * `inside`: all, without a box.
   */
  fit: 'contain' | 'cover' | 'inside'
  sizes: readonly Size[]
}

/** A picture as WebP without metadata, in sRGB and upright. */
export interface MadePicture extends Size {
  /** Every size, the largest first. */
  images: (Size & { bytes: Uint8Array })[]
  /** `#rrggbb`: the average color. */
  color: string
}

/**
 * `reason`: why there is no picture, in a sentence. `type`: it is none that the library reads.
 * `busy`: others came first.
 */
export type MakeResult = MadePicture | { reason: string; problem: 'type' | 'content' | 'busy' }

/** Of a picture that reaches a limit. */
export const TOO_MUCH: MakeResult = {
  reason: 'Reading this picture takes too much time or memory. Send a smaller one.',
  problem: 'content',
}

/** Of a picture that waited too long for others. */
export const LATE: MakeResult = {
  reason: 'The host is busy with other pictures. Send this one again in a moment.',
  problem: 'busy',
}

/**
 * What a card says and shows. Its texts have only letters of the font, and are cut where they have
 * no room; empty ones are left out.
 */
export interface Card {
  title: string
  /** Below the title, unless there is a cover. */
  text: string
  /** In a pill, and beside it. */
  label: string
  facts: string
  /** PNG, JPEG, WebP or AVIF. Without an icon, the card shows the first letter of the title. */
  icon?: Uint8Array | undefined
  cover?: Uint8Array | undefined
}

/** Pixels of a card, which link previews show above the title. */
export const CARD_SIZE: Size = { width: 1200, height: 630 }
