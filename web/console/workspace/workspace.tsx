import type { AdministratorUser } from '@platform/client';
import { Card, CardBody, Facts } from '../../components/card.tsx';
import { Id } from '../../components/copy-button.tsx';
import { Page } from '../../components/page.tsx';
import { QueryError, Skeleton } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useWords } from '../../words/words.ts';
import { CONSOLE } from '../words.ts';
import { useWorkspace } from './queries.ts';
import { WORKSPACE } from './words.ts';

type WorkspaceProps = { user: AdministratorUser; role: 'OPERATOR' | 'ARBITER' };

/** The first screen of an operator or arbiter: who they are here. */
export const Workspace = ({ user, role }: WorkspaceProps) => {
  const words = useWords(WORKSPACE);
  const { roles } = useWords(CONSOLE);
  const query = useWorkspace(role);
  const { data, error } = query;
  return (
    <Page title={words.title}>
      <div className="stack form">
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
        <p className="muted">{words.nothingElse}</p>
      </div>
    </Page>
  );
};
