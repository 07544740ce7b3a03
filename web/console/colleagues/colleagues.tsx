import type { AdminUser } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { Avatar } from '../../components/avatar.tsx';
import { Button } from '../../components/button.tsx';
import { Page } from '../../components/frame/page.tsx';
import { PlusIcon } from '../../components/icons.tsx';
import { formatTotal, ListResult } from '../../components/lists/list.tsx';
import { type Column, CutText, RowLink, Table, timeColumn } from '../../components/lists/table.tsx';
import { Pill, State } from '../../components/state.tsx';
import { useSignedIn } from '../../session/session-gate.tsx';
import { useWords } from '../../words/words.ts';
import { NAMES } from '../names.ts';
import { colleagueList } from '../records/record-queries.ts';
import { findPlatformRole } from '../records/user.ts';
import { INVITATIONS } from './invitation-words.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { WaitingInvitations } from './waiting-invitations.tsx';

/** A missing second step is a warning only for an ADMIN, who can do everything. */
const SecondStep = ({ colleague: { hasSecondStep, roles } }: { colleague: AdminUser }) => {
  const words = useWords(INVITATIONS);
  if (hasSecondStep) return <State look="ok">{words.on}</State>;
  return <State look={roles.includes('ADMIN') ? 'bad' : 'off'}>{words.off}</State>;
};

const useColumns = (): Column<AdminUser>[] => {
  const words = useWords(INVITATIONS);
  const names = useWords(NAMES);
  const { user: me } = useSignedIn();
  return [
    {
      label: words.name,
      isName: true,
      cell: ({ id, name, email }) => (
        <span className="avatar-line">
          <Avatar name={name ?? email} />
          <span className="avatar-line-text">
            <RowLink href={`/users/${id}`} name={name ?? email} />
          </span>
          {id === me.id && <Pill look="you">{names.you}</Pill>}
        </span>
      ),
    },
    {
      label: words.address,
      leavesBelow: 1100,
      cell: ({ email }) => (
        <span className="muted">
          <CutText text={email} />
        </span>
      ),
    },
    {
      label: words.role,
      width: 140,
      isEndOfBlock: true,
      cell: (colleague) => {
        const role = findPlatformRole(colleague);
        return role && <Pill>{names.roles[role]}</Pill>;
      },
    },
    { label: words.secondStep, width: 120, cell: (colleague) => <SecondStep colleague={colleague} /> },
    timeColumn(words.lastSignIn, 116, ({ lastSignInAt }) => lastSignInAt),
  ];
};

/** Lists everybody with a role in this console, and everybody who is invited to one. */
export const Colleagues = () => {
  const words = useWords(INVITATIONS);
  const query = useQuery(colleagueList());
  const columns = useColumns();
  const [isInviting, setInviting] = useState(false);
  // A command of the search leads here, maybe from this screen. It leaves the address, so that it works again, and
  // does so before the dialog adds its entry of the history.
  const [params] = useSearchParams();
  const [location, navigate] = useLocation();
  const isAsked = params.has('invite');
  if (isAsked && !isInviting) setInviting(true);
  useLayoutEffect(() => {
    if (isAsked) navigate(location, { replace: true });
  }, [isAsked, location, navigate]);
  const { data } = query;
  return (
    <Page
      title={words.title}
      aside={data && <span className="text-count">{formatTotal(data.total, data.totalCapped)}</span>}
      actions={
        <Button look="main" onClick={() => setInviting(true)}>
          <PlusIcon />
          {words.invite}
        </Button>
      }
    >
      <div className="stack">
        <ListResult query={query} total={(found) => found} empty={words.nobody}>
          {(found) => <Table caption={words.title} columns={columns} rows={found.data} />}
        </ListResult>
        <WaitingInvitations />
      </div>
      <InviteDialog isOpen={isInviting} onClose={() => setInviting(false)} />
    </Page>
  );
};
