import { routes } from '../../../server/contract/routes'
import { DoneIcon, MissingIcon } from './icons'

export interface NoticeProps {
  title: string
  text: string
  /** The action that helps. */
  action?: { label: string; address: string }
  /** It says that something worked. */
  isDone?: boolean
}

/** A page that says one thing. */
export const Notice = ({ title, text, action = BROWSE, isDone = false }: NoticeProps) => (
  <div className="notice">
    <span className="picture-of-page" aria-hidden="true">
      {isDone ? <DoneIcon size={28} /> : <MissingIcon size={28} />}
    </span>
    <h1>{title}</h1>
    <p>{text}</p>
    <p className="actions">
      <a className="button medium" href={action.address}>
        {action.label}
      </a>
    </p>
  </div>
)

const BROWSE = { label: 'Browse Projects', address: routes.browse }
