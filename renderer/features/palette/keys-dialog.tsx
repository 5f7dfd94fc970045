import { Kbd, Modal, Stack, Switch } from '@mantine/core'
import { useState } from 'react'
import { isAppWindow } from '../../lib/browser/desktop'
import { COMMAND_KEY } from './command-key'
import classes from './palette.module.css'
import { areSingleKeysOn, pagesByKey, switchSingleKeys } from './single-keys'

/** Key sequences and their actions. */
const singleKeys: readonly [keys: readonly string[], does: string][] = [
  [['?'], 'Show these keys'],
  [['/'], 'Search in this page'],
  [['u'], 'Upload files'],
  ...pagesByKey.map(({ key, label }): [string[], string] => [['g', key], `Go to ${label}`]),
]

const isMac = COMMAND_KEY === '⌘'

const windowKeys: readonly [keys: readonly string[], does: string][] = [
  [[isMac ? '⌘[' : 'Alt+←'], 'Back'],
  [[isMac ? '⌘]' : 'Alt+→'], 'Forward'],
]

/** Lists the keys, and switches those off that a screen reader or a voice might press. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const [areOn, setOn] = useState(areSingleKeysOn)

  const change = (isOn: boolean) => {
    switchSingleKeys(isOn)
    setOn(isOn)
  }

  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" returnFocus={false}>
      <Stack gap="md">
        <Keys
          rows={[[[`${COMMAND_KEY}K`], 'Search everything'], ...(isAppWindow() ? windowKeys : [])]}
        />
        <Switch
          label="Single keys"
          description="Turn off if you use a screen reader or speech input"
          checked={areOn}
          onChange={({ currentTarget }) => change(currentTarget.checked)}
        />
        {areOn && <Keys rows={singleKeys} />}
      </Stack>
    </Modal>
  )
}

function Keys({ rows }: { rows: typeof singleKeys }) {
  return (
    <dl className={classes.keys}>
      {rows.map(([keys, does]) => (
        <div key={does}>
          <dt>{does}</dt>
          <dd>
            {keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}
