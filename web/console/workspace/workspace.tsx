import type { AdministratorUser } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Card, CardBody, Facts } from '../../components/card.tsx';
import { Id } from '../../components/copy-button.tsx';
import { Page } from '../../components/frame/page.tsx';
import { ExternalIcon, ShieldAlertIcon } from '../../components/icons.tsx';
import { Pill } from '../../components/state.tsx';
import { Empty, QueryError, Skeleton } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { getSettings } from '../../page/settings.ts';
import { useWords } from '../../words/words.ts';
import { OWN_ACCOUNT_PATH } from '../places.ts';
import { read } from '../read.ts';
import { CONSOLE } from '../words.ts';
import { WORKSPACE } from './words.ts';

/** The platform's response about the caller in the workspace of their role. */
const PATHS = { OPERATOR: '/operator/me', ARBITER: '/arbiter/me' } as const;
type Role = keyof typeof PATHS;

/** Says what the role is for, and where its work is done. */
const WorkCard = ({ role }: { role: Role }) => {
  const words = useWords(WORKSPACE);
  const desk = getSettings().desks[role];
  return (
    <Card title={words.what[role]}>
      <CardBody>
        <div className="stack-small">
          <p>
            {words.does[role]} {words.elsewhere}
          </p>
          {desk && (
            <div className="row">
              <a className="button button-main" href={desk.url}>
                {words.openDesk(desk.name ?? new URL(desk.url).host)}
                <ExternalIcon />
              </a>
              <span className="muted small">{new URL(desk.url).host}</span>
            </div>
          )}
        </div>
      </CardBody>
    </Card>
  );
};

const HelpCard = () => {
  const words = useWords(WORKSPACE);
  const { supportEmail } = getSettings();
  return (
    <Card title={words.help}>
      <CardBody>
        <p>
          {supportEmail ? words.helpText : words.noSupport}{' '}
          {supportEmail && <a href={`mailto:${supportEmail}`}>{supportEmail}</a>}
        </p>
      </CardBody>
    </Card>
  );
};

const AccountCard = () => {
  const words = useWords(WORKSPACE);
  return (
    <Card title={words.account}>
      <div className="card-row card-row-with-button">
        <div className="muted">{words.accountHint}</div>
        <Link className="button" href={OWN_ACCOUNT_PATH}>
          {words.openAccount}
        </Link>
      </div>
    </Card>
  );
};

type WorkspaceProps = { user: AdministratorUser; role: Role };

/** The first screen of an operator or arbiter: what the role is for, and who they are here. */
export const Workspace = ({ user, role }: WorkspaceProps) => {
  const words = useWords(WORKSPACE);
  const { roles } = useWords(CONSOLE);
  const query = useQuery(read(['workspace', role], PATHS[role], {}));
  const { data, error } = query;
  return (
    <Page title={words.title} aside={<Pill>{roles[role]}</Pill>}>
      <div className="columns">
        <div className="stack">
          <WorkCard role={role} />
          <AccountCard />
        </div>
        <div className="stack">
          <QueryError query={query} />
          {!data && !error && <Skeleton />}
          {data && (
            <Card title={words.who}>
              <CardBody>
                <Facts
                  facts={[
                    [words.email, data.email],
                    [words.role, roles[data.platformRole] ?? data.platformRole],
                    [words.since, <Time key="since" at={user.createdAt} isFull />],
                    [words.id, <Id key="id" id={data.userId} />],
                  ]}
                />
              </CardBody>
            </Card>
          )}
          <HelpCard />
        </div>
      </div>
    </Page>
  );
};

/** Shown to an operator or arbiter who opens a link to a screen of administrators. */
export const OnlyAdministrators = () => {
  const words = useWords(WORKSPACE);
  return (
    <Page title={words.onlyAdmins}>
      <div className="stack">
        <div className="card">
          <Empty
            icon={<ShieldAlertIcon />}
            hint={words.onlyAdminsHint}
            action={
              <Link className="button" href="/">
                {words.toHome}
              </Link>
            }
          >
            {words.onlyAdmins}
          </Empty>
        </div>
        <HelpCard />
      </div>
    </Page>
  );
};
