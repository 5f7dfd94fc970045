import { NativeSelect, type NativeSelectProps } from '@mantine/core'

const data = [
  { value: 'collaborator', label: 'Collaborator' },
  { value: 'maintainer', label: 'Maintainer' },
]

/** What a person on a project may do. */
export const RoleSelect = (props: NativeSelectProps) => <NativeSelect data={data} {...props} />
