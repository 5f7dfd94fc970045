/** A hull on its slipway, ready to go down. */
export function NameMark({ size = 28 }: { size?: number }) {
  return (
    <svg
      viewBox="0 0 32 32"
      width={size}
      height={size}
      fill="none"
      stroke="var(--accent-text)"
      strokeWidth={2.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      <path d="M3 20 29 29" />
      <path
        fill="var(--accent-text)"
        d="M5.600 9.200 27.400 16.700c-.9 4.600-5.600 6.600-10 5.100l-5.700-2c-3.900-1.300-6.200-5.600-6.100-10.600z"
      />
    </svg>
  )
}
