import { useHost } from '../../lib/host'
import classes from './frame.module.css'

/** Says that nothing can be saved at the moment, for as long as that is so. */
export function ReadOnlyBanner() {
  const { read_only } = useHost()
  if (!read_only) return null
  return (
    <p role="alert" className={classes.banner}>
      This host cannot save changes right now, because its disk is full or failing. Downloads go on; uploads and edits
      are refused until there is space again.
    </p>
  )
}
