import { ShownOnce } from '../../ui/dialog/shown-once'

export function NewApiKey({ value, onDone }: { value: string; onDone: () => void }) {
  return (
    <ShownOnce
      value={value}
      label="API key"
      copyLabel="Copy key"
      title="Copy this key now"
      text="It is shown this one time. The host keeps only a fingerprint of it, so nobody can show it to you again."
      onDone={onDone}
    />
  )
}
