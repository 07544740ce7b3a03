import type { AdminUserDetail } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { Avatar } from '../../components/avatar.tsx';
import { Button } from '../../components/button.tsx';
import { Card, CardRow } from '../../components/card.tsx';
import { DialogButton } from '../../components/forms/action-dialog.tsx';
import { Pill } from '../../components/state.tsx';
import { QueryRows } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { DeviceIcon } from '../../own-account/account-icons.tsx';
import { usePlatform } from '../../session/platform.ts';
import { listMethods, nameOfDevice } from '../../words/device.ts';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import type { ResponseOf } from '../read.ts';
import { nameOfReference } from '../records/people.ts';
import { EndOneDialog } from './session-dialogs.tsx';
import { USER_HELP } from './user-help-words.ts';
import { userNotes, userSessions } from './user-queries.ts';
import { USERS } from './user-words.ts';
import './user.css';

type CardProps = { user: AdminUserDetail };

type Session = ResponseOf<'/users/{id}/sessions'>['data'][number];

const Device = ({ user, session }: CardProps & { session: Session }) => {
  const words = useWords(USERS);
  const help = useWords(USER_HELP);
  const device = nameOfDevice(session);
  // The reader signs out elsewhere, and must not end this session by mistake.
  const isOwn = usePlatform().client.getSnapshot().session?.id === session.id;
  return (
    <CardRow
      icon={<DeviceIcon userAgent={session.userAgent} />}
      button={
        isOwn ? (
          <Pill look="you">{help.thisDevice}</Pill>
        ) : (
          <DialogButton label={words.end} object={device}>
            {(dialog) => <EndOneDialog {...dialog} user={user} sessionId={session.id} device={device} />}
          </DialogButton>
        )
      }
    >
      {device}
      <div className="muted small">
        {session.ip} · {listMethods(session)} · {words.signedInAt} <Time at={session.signedInAt} />
      </div>
    </CardRow>
  );
};

export const DevicesCard = ({ user, onEndAll }: CardProps & { onEndAll: () => void }) => {
  const words = useWords(USERS);
  const query = useQuery(userSessions(user.id));
  const sessions = query.data?.data;
  return (
    <Card
      title={words.devices}
      count={sessions && formatNumber(sessions.length)}
      action={
        sessions &&
        sessions.length > 0 && (
          <Button look="link" onClick={onEndAll}>
            {words.endAll}
          </Button>
        )
      }
    >
      <QueryRows query={query} none={words.noDevices}>
        {(session) => <Device key={session.id} user={user} session={session} />}
      </QueryRows>
    </Card>
  );
};

const Note = ({ author, text, at }: { author: string; text: string; at: string }) => (
  <article className="user-note">
    <div className="user-note-head">
      <Avatar name={author} size={20} />
      <bdi className="strong">{author}</bdi>
      <Time at={at} />
    </div>
    <div className="text-lines">{text}</div>
  </article>
);

export const NotesCard = ({ user, onAdd }: CardProps & { onAdd: () => void }) => {
  const words = useWords(USERS);
  const query = useQuery(userNotes(user.id));
  return (
    <Card
      title={words.notes}
      count={query.data && formatNumber(query.data.data.length)}
      action={
        <Button look="link" onClick={onAdd}>
          {words.add}
        </Button>
      }
    >
      <QueryRows query={query} none={words.noNotes}>
        {({ id, text, author, createdAt }) => (
          <Note key={id} author={nameOfReference(author)} text={text} at={createdAt} />
        )}
      </QueryRows>
    </Card>
  );
};
