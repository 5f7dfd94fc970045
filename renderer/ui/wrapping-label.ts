/** The properties of a button whose long label takes two lines on a phone. */
export const wrappingLabel = {
  h: 'auto',
  mih: 36,
  py: 6,
  styles: { label: { whiteSpace: 'normal', lineHeight: 1.3 } },
} as const
