import type { AdminUser } from '@platform/client';
import { Fragment, useRef, useState } from 'react';
import { ActionDialog } from '../../components/forms/action-dialog.tsx';
import { ForSeveral } from '../../components/forms/for-several.tsx';
import { useSignedIn } from '../../session/session-gate.tsx';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { backOffice } from '../back-office.ts';
import { nameOfUser } from '../records/people.ts';
import { addNote, block, type Reason, ReasonChoice } from './block-dialogs.tsx';
import { USER_HELP } from './user-help-words.ts';
import { USER_LIST } from './user-list-words.ts';
import { USER_CHANGE } from './user-queries.ts';

/** An action on the people who were selected when its dialog was opened. */
export type UsersAction = { name: 'block' | 'end'; users: readonly AdminUser[]; onDone: () => void };

type Props = Pick<UsersAction, 'users' | 'onDone'> & { onClose: () => void };

const path = ({ id }: AdminUser) => ({ params: { path: { id } } });

/** An ADMIN cannot be blocked, and a blocked person is left out. */
const canBeBlocked = ({ isBlocked, roles }: AdminUser): boolean => !isBlocked && !roles.includes('ADMIN');

const Names = ({ users }: { users: readonly AdminUser[] }) =>
  users.map((user, index) => (
    <Fragment key={user.id}>
      {index > 0 && ', '}
      <bdi>{nameOfUser(user)}</bdi>
    </Fragment>
  ));

const BlockSeveral = ({ users, ...dialog }: Props) => {
  const words = useWords(USER_LIST);
  const help = useWords(USER_HELP);
  const [reason, setReason] = useState<Reason>('other');
  // The note of some may have failed after their block.
  const blocked = useRef(new Set<string>());
  const rows = users.filter(canBeBlocked);
  const others = users.filter((user) => !canBeBlocked(user));
  const count = formatNumber(rows.length);
  const title = words.blockQuestion(count, rows.length);
  if (rows.length === 0)
    return (
      <ActionDialog title={title} isOpen onClose={dialog.onClose}>
        <p>{words.nobody}</p>
      </ActionDialog>
    );
  return (
    <ForSeveral
      {...dialog}
      rows={rows}
      nameOf={nameOfUser}
      title={title}
      submit={words.blockThem(count, rows.length)}
      submitting={words.blocking}
      done={(text) => words.blocked(text, rows.length)}
      act={async (user) => {
        if (!blocked.current.has(user.id)) await block(user);
        blocked.current.add(user.id);
        if (reason !== 'other') await addNote(user, `${help.reasons[reason]}.`);
      }}
      invalidates={USER_CHANGE.invalidates}
    >
      <p>
        <Names users={rows} />
      </p>
      <p>{words.blockText}</p>
      <ReasonChoice reason={reason} onChoose={setReason} />
      {others.length > 0 && (
        <p className="muted">
          {words.leftOut} <Names users={others} />
        </p>
      )}
    </ForSeveral>
  );
};

const EndSessionsOfSeveral = ({ users, ...dialog }: Props) => {
  const words = useWords(USER_LIST);
  const { user: me } = useSignedIn();
  // The reader's own sessions last: without them, the other requests would be rejected.
  const rows = users.toSorted((one, other) => Number(one.id === me.id) - Number(other.id === me.id));
  const count = formatNumber(rows.length);
  return (
    <ForSeveral
      {...dialog}
      rows={rows}
      nameOf={nameOfUser}
      title={words.endQuestion(count, rows.length)}
      submit={words.endThem}
      submitting={words.ending}
      done={(text) => words.ended(text, rows.length)}
      act={(user) => backOffice.DELETE('/users/{id}/sessions', path(user))}
      invalidates={USER_CHANGE.invalidates}
    >
      <p>
        <Names users={rows} />
      </p>
      <p>{words.endText}</p>
      {rows.some(({ id }) => id === me.id) && <p className="strong">{words.endOwn}</p>}
    </ForSeveral>
  );
};

/** Rendered outside of the list, which may no longer have the people while the dialog says what failed. */
export const UsersDialog = ({ action, onClose }: { action: UsersAction; onClose: () => void }) => {
  const Several = { block: BlockSeveral, end: EndSessionsOfSeveral }[action.name];
  return <Several users={action.users} onDone={action.onDone} onClose={onClose} />;
};
