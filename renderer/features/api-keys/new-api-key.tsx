import { ShownOnce } from '../../ui/dialog/shown-once'

export function NewApiKey({ value, onDone }: { value: string; onDone: () => void }) {
  return (
    <ShownOnce
      value={value}
      label="API key"
      copyLabel="Copy key"
      title="Copy this key now"
      text="It is shown only once, because the host stores only a fingerprint of it."
      onDone={onDone}
    />
  )
}
