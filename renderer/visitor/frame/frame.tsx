import type { ComponentType, ReactNode, Ref } from 'react'
import { CHOOSE_FILES, routes, BRAND } from '../../../server/contract/routes'
import type { Demo, Host } from '../../../server/contract/host/host'
import { demoText } from '../../../server/texts/host/demo-texts'
import { troubleTexts } from '../../../server/texts/host/trouble-texts'
import { NameMark, UploadIcon } from '../parts/icons'

interface VisitorLinksProps {
  /** The path of the page, if the frame stays while pages change. */
  path?: string | undefined
  isSignedIn?: boolean | undefined
}

interface FrameProps extends VisitorLinksProps {
  /** Name of the host; '' while it is unknown. */
  version: string
  demo: Demo | null
  /** Before the name of the product. */
  menu?: ReactNode
  /** Instead of the links for visitors; `null` for none. */
  actions?: ReactNode
  /** Between the header and the page. */
  banners?: ReactNode
  main?: Ref<HTMLElement>
  children: ReactNode
}

/** The header and footer of every page, for the server and the app. */
export const Frame = ({
  version,
  demo,
  path,
  isSignedIn,
  menu,
  actions,
  banners,
  main,
  children,
}: FrameProps) => (
  <div className="frame">
    <a className="skip" href="#main">
      Skip to content
    </a>
    <header className="header visitor">
      <div className="bar">
        {menu}
        <a className="brand" href={routes.landing}>
          <NameMark size={28} />
          <span className="word">{BRAND}</span>
        </a>
        {actions === undefined ? <VisitorLinks path={path} isSignedIn={isSignedIn} /> : actions}
      </div>
    </header>
    {demo && <DemoBanner demo={demo} />}
    {banners}
    <main id="main" ref={main} tabIndex={-1}>
      {children}
    </main>
    <footer className="footer visitor">
      <div className="bar">
        <span>
          {BRAND}
          {version !== '' && ` ${version}`}. Free, open source, self-hosted.
        </span>
        <nav aria-label="Footer">
          <a href={routes.browse}>Projects</a>
          <a href={routes.publicFiles}>Public files</a>
          <a href={routes.guide}>Guide</a>
          <a href={routes.docs}>API Docs</a>
        </nav>
      </div>
    </footer>
  </div>
)

/** Says on each page of a demo when it forgets everything, and how to log in. */
const DemoBanner = ({ demo }: { demo: Demo }) => <p className="demo-banner">{demoText(demo)}</p>

const VisitorLinks = ({ path, isSignedIn = false }: VisitorLinksProps) => (
  <nav aria-label="Main">
    <a
      className="link"
      href={routes.browse}
      aria-current={path === routes.browse ? 'page' : undefined}
    >
      Browse
    </a>
    <a className="link" href={routes.docs} aria-current={path === routes.docs ? 'page' : undefined}>
      API Docs
    </a>
    {isSignedIn && (
      <a className="link" href={routes.dashboard}>
        Dashboard
      </a>
    )}
    {isSignedIn ? (
      // A file can be chosen only on a page with scripts.
      <a
        className="button small publish"
        href={`${routes.myFiles}#${CHOOSE_FILES}`}
        aria-label="Publish files"
      >
        <UploadIcon size={16} />
        <span>Publish</span>
      </a>
    ) : (
      <a className="button small" href={routes.login}>
        Login
      </a>
    )}
  </nav>
)

interface FramedPageProps<Props> {
  version: string
  demo: Demo | null
  trouble: Host['trouble']
  isSignedIn: boolean
  Page: ComponentType<Props>
  props: Props
}

/** A page in its frame, as the server sends it. */
export const FramedPage = <Props extends object>({
  version,
  demo,
  trouble,
  isSignedIn,
  Page,
  props,
}: FramedPageProps<Props>) => (
  <Frame
    version={version}
    demo={demo}
    isSignedIn={isSignedIn}
    banners={
      trouble && (
        <p role="alert" className="trouble-banner">
          {troubleTexts[trouble]}
        </p>
      )
    }
  >
    <div className="visitor">
      <Page {...props} />
    </div>
  </Frame>
)
