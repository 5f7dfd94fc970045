import type { Demo } from '../../../server/contract/host/host'
import { routes } from '../../../server/contract/routes'
import { Frame } from './frame'
import { MenuIcon, SearchIcon, UploadIcon } from '../parts/icons'

interface StartingPageProps {
  version: string
  demo: Demo | null
  /** Of the signed-in person. */
  username: string | undefined
  /** How the computer of the person writes the key of commands. */
  commandKey: string
  /** The heading that the page of the app will have, if it is known. */
  heading: string | undefined
  /** One sentence below the heading, or below the tabs. */
  text?: string | undefined
  /** The tabs of the page. */
  tabs?: readonly { text: string; path: string; isOpen: boolean; count?: number }[] | undefined
}

/** A page of the app, until the app has started and takes its place. */
export const StartingPage = ({
  version,
  demo,
  username,
  commandKey,
  heading,
  text,
  tabs,
}: StartingPageProps) => (
  <Frame
    version={version}
    demo={demo}
    menu={username !== undefined && <Menu />}
    actions={username !== undefined && <Person username={username} commandKey={commandKey} />}
  >
    <div className="visitor starting" data-starting data-tabbed={tabs !== undefined || undefined}>
      {heading !== undefined && <h1>{heading}</h1>}
      {tabs && (
        <nav aria-label={heading}>
          {tabs.map(({ text: label, path, isOpen, count }) => (
            <a key={path} href={path} aria-current={isOpen ? 'page' : undefined}>
              {label}
              {count !== undefined && <span className="count">{count}</span>}
            </a>
          ))}
        </nav>
      )}
      {text !== undefined && <p>{text}</p>}
      <noscript>
        This page needs JavaScript. Without it you can use the pages of projects, downloads,{' '}
        <a href="/guide">the guide</a>, and <a href="/openapi.json">openapi.json</a>, which
        describes the API.
      </noscript>
      <div className="bones" role="status" aria-label="Loading">
        {['first', 'second', 'third', 'fourth', 'fifth', 'sixth'].map((row) => (
          <span key={row} />
        ))}
      </div>
    </div>
  </Frame>
)

/** As large as the button of the app, which comes in its place. */
const Menu = () => (
  <button type="button" className="menu" aria-label="Menu">
    <MenuIcon size={20} />
  </button>
)

/** What the app has in the same places, with the same names: it does what was pressed here. */
const Person = ({ username, commandKey }: { username: string; commandKey: string }) => (
  <div className="person">
    <button type="button" className="button small publish" aria-label="Publish files">
      <UploadIcon size={16} />
      <span>Publish</span>
    </button>
    <input type="file" multiple hidden aria-label="Choose files" />
    <button type="button" className="find">
      <SearchIcon size={16} />
      <span>
        Search <kbd>{commandKey}K</kbd>
      </span>
    </button>
    <a href={routes.account}>{username}</a>
    <button type="button" className="button small quiet">
      Logout
    </button>
  </div>
)
