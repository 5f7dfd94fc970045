/** The most pixels of one size of a picture. */
export interface Size {
  width: number
  height: number
}

/** How to fit a picture into each size, largest first. Smaller pictures are not enlarged. */
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
 * `reason`: a sentence on why there is no picture. `type`: an unsupported format. `busy`: the queue
 * was too long.
 */
export type MakeResult = MadePicture | { reason: string; problem: 'type' | 'content' | 'busy' }

/** Result for a picture that exceeds a limit. */
export const TOO_MUCH: MakeResult = {
  reason: 'Reading this picture takes too much time or memory. Send a smaller one.',
  problem: 'content',
}

/** Result for a picture that waited too long. */
export const LATE: MakeResult = {
  reason: 'The host is busy with other pictures. Send this one again in a moment.',
  problem: 'busy',
}

/**
 * Content of a card. Texts must have only letters of the font. Long texts are cut, and empty ones
 * omitted.
 */
export interface Card {
  title: string
  /** Below the title, unless there is a cover. */
  text: string
  /** Text in a pill, next to the facts. */
  label: string
  facts: string
  /** PNG, JPEG, WebP or AVIF. Without an icon, the card shows the first letter of the title. */
  icon?: Uint8Array | undefined
  cover?: Uint8Array | undefined
}

/** Pixels of a card, which link previews show above the title. */
export const CARD_SIZE: Size = { width: 1200, height: 630 }
