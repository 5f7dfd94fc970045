import type { Project } from '../../../server/contract'
import { formatCount, formatWhole } from '../../../server/texts/format'
import { LinkButtons } from '../parts/send'
import { Time, Website } from '../parts/text'
import type { PageProps, ProjectPageProps } from './page-props'

type SidebarProps = Pick<
  ProjectPageProps,
  'project' | 'now' | 'host' | 'base' | 'tester' | 'Code' | 'slots'
> & {
  /** Whether some downloads come from the bucket, which are counted sooner. */
  hasBucket: boolean
}

export function ProjectSidebar({
  project,
  now,
  host,
  base,
  tester,
  hasBucket,
  Code,
  slots,
}: SidebarProps) {
  return (
    <aside className="side" aria-label="About this project">
      <div>
        <label className="share">
          {tester ? 'Your link' : 'Share link'}
          <input
            value={host.url + base}
            readOnly
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
        </label>
        {!tester && <LinkButtons address={host.url + base} Code={Code} />}
        <Alone {...{ host, slots }} sentence="Only this computer can open this link." />
      </div>
      <dl className="stats">
        <Stat label="Downloads" count={project.stats.total_downloads} />
        <Stat label="Views" count={project.stats.views} />
      </dl>
      {hasBucket && <p className="fine">Large downloads are counted when handed to the bucket.</p>}
      <Information project={project} now={now} />
    </aside>
  )
}

const Stat = ({ label, count }: { label: string; count: number }) => (
  <div className="stat" title={formatWhole(count)}>
    <dt>{label}</dt>
    <dd>{formatCount(count)}</dd>
  </div>
)

const Information = ({ project, now }: { project: Project; now: Date }) => (
  <section>
    <h2>Information</h2>
    <dl className="facts">
      <dt>Owner</dt>
      <dd>{project.owner}</dd>
      <dt>Files</dt>
      <dd>{formatWhole(project.total_files)}</dd>
      <dt>Published</dt>
      <dd>
        <Time value={project.created_at} now={now} />
      </dd>
      <dt>Updated</dt>
      <dd>
        <Time value={project.updated_at} now={now} />
      </dd>
      {project.project_url !== null && (
        <>
          <dt>Website</dt>
          <dd>
            <Website address={project.project_url} />
          </dd>
        </>
      )}
    </dl>
  </section>
)

/** Says that no other computer can open an address, while the host is not shared. */
export const Alone = ({
  host,
  slots,
  sentence,
}: Pick<PageProps, 'host' | 'slots'> & { sentence: string }) =>
  !host.reachable &&
  (slots?.alone(sentence) ?? <p className="fine alone">{sentence} Ask the host to share it.</p>)
