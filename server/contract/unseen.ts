/**
 * Invisible characters: controls except tabs and line breaks, bidi controls that show `exe.gpj` as
 * `jpg.exe`, and zero-width ones that make texts look alike. Keeps U+200C and U+200D, which join
 * letters and emoji.
 */
const UNSEEN = new RegExp(
  `[${[
    String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e`,
    String.raw`\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb`,
  ].join('')}]`,
  'g',
)

/** Removes invisible characters. */
export const withoutUnseen = (value: string): string => value.replace(UNSEEN, '')
