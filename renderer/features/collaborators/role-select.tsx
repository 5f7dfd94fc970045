import { NativeSelect, type NativeSelectProps } from '@mantine/core'

const data = [
  { value: 'collaborator', label: 'Collaborator' },
  { value: 'maintainer', label: 'Maintainer' },
]

/** Selects the role of a collaborator. */
export const RoleSelect = (props: NativeSelectProps) => <NativeSelect data={data} {...props} />
