import type { AdminUserDetail } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Button } from '../../components/button.tsx';
import { ErrorNotice, Notice } from '../../components/notice.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { useWords } from '../../words/words.ts';
import { backOffice } from '../back-office.ts';
import { nameOf } from '../names.ts';
import { OWN_ACCOUNT_PATH } from '../places.ts';
import { nameInSentence } from '../records/people.ts';
import { findSignInProblems } from '../records/user.ts';
import { HelpMail } from './help-mail.tsx';
import { USER_HELP } from './user-help-words.ts';
import { USER_CHANGE } from './user-queries.ts';
import { USERS } from './user-words.ts';

type BlockedProps = { user: AdminUserDetail; onUnblock: () => void };

/** Says who blocked the account, when and why, and offers to unblock it. */
const BlockedNotice = ({ user: { block }, onUnblock }: BlockedProps) => {
  const words = useWords(USERS);
  const help = useWords(USER_HELP);
  return (
    <Notice
      look="bad"
      title={
        block ? (
          <>
            <bdi>{help.blockedBy(nameInSentence(block.by))}</bdi>, <Time at={block.at} />
          </>
        ) : (
          words.blocked
        )
      }
      action={<Button onClick={onUnblock}>{words.unblock}</Button>}
    >
      {block?.note && <p className="text-lines">{block.note}</p>}
      <p>{words.reasons.blocked}</p>
    </Notice>
  );
};

/** `secret` names what was guessed; a later release may have more words for it. */
type PauseProps = { userId: string; secret: string; until: string };
type Secret = 'password' | 'second-factor' | 'email-code';

const PauseNotice = ({ userId, secret, until }: PauseProps) => {
  const help = useWords(USER_HELP);
  const say = useSayStatus();
  const lift = useMutation({
    mutationFn: () =>
      backOffice.DELETE('/users/{id}/pauses/{secret}', {
        params: { path: { id: userId, secret: secret as Secret } },
      }),
    meta: USER_CHANGE,
    onSuccess: () => say(help.lifted),
  });
  return (
    <>
      <Notice
        look="warn"
        title={
          <>
            {help.pausedUntil} <Time at={until} isFull /> {nameOf(help.afterWrong, secret)}
          </>
        }
        action={
          <Button mutation={lift} busyLabel={help.lifting}>
            {help.liftPause}
          </Button>
        }
      >
        {help.pauseText}
      </Notice>
      <ErrorNotice error={lift.error} />
    </>
  );
};

type NoticesProps = BlockedProps & { isOwn: boolean };

/** Says why somebody cannot sign in, with what a colleague can do about it. */
export const UserNotices = ({ user, isOwn, onUnblock }: NoticesProps) => {
  const words = useWords(USERS);
  const help = useWords(USER_HELP);
  const others = findSignInProblems(user).filter(({ kind }) => kind === 'noRole' || kind === 'noWay');
  return (
    <>
      {isOwn && (
        <Notice>
          <Link href={OWN_ACCOUNT_PATH}>{help.yourPage}</Link>
        </Notice>
      )}
      {user.isBlocked && (
        <div role="alert">
          <BlockedNotice user={user} onUnblock={onUnblock} />
        </div>
      )}
      {user.pauses.map(({ secret, until }) => (
        <PauseNotice key={secret} userId={user.id} secret={secret} until={until} />
      ))}
      {!user.isEmailVerified && user.roles.length > 0 && (
        <Notice look="warn" title={words.notVerified} action={<HelpMail user={user} mail="verification" />}>
          {help.notVerified}
        </Notice>
      )}
      {others.map(({ kind }) => (
        <Notice key={kind} look="warn" title={words.cannotSignIn}>
          {kind === 'noRole' ? words.reasons.noRole : words.reasons.noWay}
        </Notice>
      ))}
    </>
  );
};
