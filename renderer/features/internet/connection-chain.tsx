import {
  IconAlertTriangle,
  IconCheck,
  IconDeviceDesktop,
  IconHelp,
  IconRouter,
  IconServer,
  IconWorld,
  IconX,
} from '@tabler/icons-react'
import type { InternetView } from '../../../server/contract'
import { chainOf, type ChainNode, type LinkState } from './internet-chain'
import classes from './internet.module.css'

const pictures = {
  'This computer': IconDeviceDesktop,
  Router: IconRouter,
  'Your server': IconServer,
  Internet: IconWorld,
}

const marks = {
  works: { Picture: IconCheck, word: 'Works' },
  broken: { Picture: IconX, word: 'Broken here' },
  ipv6: { Picture: IconAlertTriangle, word: 'IPv6 only' },
  untested: { Picture: IconHelp, word: 'Not tested' },
}

/** This computer, router, internet: marks the first link that does not work, by icon and word. */
export function ConnectionChain({ view }: { view: InternetView }) {
  const { nodes, links } = chainOf(view)
  return (
    <ol className={classes.chain} aria-label="Path to the internet">
      <Node {...nodes[0]} />
      <Link state={links[0]} />
      <Node {...nodes[1]} />
      <Link state={links[1]} />
      <Node {...nodes[2]} />
    </ol>
  )
}

function Node({ name, detail }: ChainNode) {
  const Picture = pictures[name]
  return (
    <li className={classes.node}>
      <Picture size={20} aria-hidden />
      <div>
        {name}
        {detail !== '' && <div className={classes.detail}>{detail}</div>}
      </div>
    </li>
  )
}

function Link({ state }: { state: LinkState }) {
  const { Picture, word } = marks[state]
  return (
    <li className={classes.link} data-state={state}>
      <Picture size={14} aria-hidden />
      {word}
    </li>
  )
}
