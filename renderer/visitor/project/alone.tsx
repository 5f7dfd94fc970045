import type { PageProps } from './page-props'

/** Says that no other computer can open an address, while the host is not shared. */
export const Alone = ({ host, slots, sentence }: Pick<PageProps, 'host' | 'slots'> & { sentence: string }) =>
  !host.reachable && (slots?.alone(sentence) ?? <p className="fine alone">{sentence} Ask the host to share it.</p>)
