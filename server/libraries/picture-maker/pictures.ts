/** The most pixels of one size of a picture. */
export interface Size {
  width: number
  height: number
}

/** How a picture is fitted into each of its sizes, the largest first. What is smaller is not enlarged. */
export interface Shape {
  /** `contain`: the whole picture on a transparent box. `cover`: a part of it fills the box. `inside`: all, without a box. */
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

/** `reason`: why there is no picture, in a sentence. `type`: it is none that the library reads. */
export type MakeResult = MadePicture | { reason: string; problem: 'type' | 'content' }

/** Of a picture that reaches a limit. */
export const TOO_MUCH: MakeResult = {
  reason: 'Reading this picture takes too much time or memory. Send a smaller one.',
  problem: 'content',
}
