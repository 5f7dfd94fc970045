/** The same drawing as favicon.svg and assets/icon.svg. */
export function NameMark({ size = 28 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden>
      <g
        transform="rotate(14 16 16)"
        fill="var(--accent-text)"
        stroke="var(--accent-text)"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M9 13V5.5h7l3 7.5" />
        <path d="M4 12.5h25l-4.5 7H8a4 4 0 0 1-4-4z" />
        <path d="M5 25.5h25" fill="none" strokeWidth={3} />
      </g>
    </svg>
  )
}
