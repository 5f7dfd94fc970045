import { Link } from 'react-router-dom'
import { troubleRemedies, troubleTexts } from '../../../../server/texts/host/trouble-texts'
import { useSession } from '../../../lib/session/session'
import { useManagesHost } from '../../../lib/session/use-manages-host'
import { paths } from '../../../paths'
import classes from '../frame.module.css'

type Trouble = keyof typeof troubleTexts

export function ReadOnlyBanner({ trouble }: { trouble: Trouble }) {
  const managesHost = useManagesHost() === true
  const { user } = useSession()

  return (
    <p role="alert" className={classes.banner}>
      {troubleTexts[trouble]} {managesHost && troubleRemedies[trouble]}
      {user && trouble === 'full' && (
        <>
          {' '}
          You can still delete files; then <Link to={paths.trash}>empty the Trash</Link>.
        </>
      )}
    </p>
  )
}
