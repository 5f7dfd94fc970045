import { Autocomplete, type AutocompleteProps } from '@mantine/core'

/** A channel to choose or type. `channels`: those of the project. */
export function ChannelField({
  channels,
  ...props
}: AutocompleteProps & { channels: readonly string[] }) {
  const data = [...new Set(['stable', 'beta', 'nightly', ...channels])]
  return <Autocomplete label="Channel" placeholder="stable" maxLength={32} data={data} {...props} />
}
