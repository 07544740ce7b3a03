import type { OwnSession } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { Card, CardRow } from '../components/card.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { QueryErrorRow } from '../components/states.tsx';
import { useSayStatus } from '../components/status.tsx';
import { Time } from '../components/time.tsx';
import { usePlatform } from '../session/platform.ts';
import { listMethods, nameOfDevice } from '../words/device.ts';
import { OWN_ACCOUNT } from '../words/own-account.ts';
import { useWords } from '../words/words.ts';
import { AccountAction } from './account-action.tsx';
import { ACCOUNT_CHANGE, useSessions } from './queries.ts';

const Device = ({ session }: { session: OwnSession }) => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const say = useSayStatus();
  const name = nameOfDevice(session);
  const end = useMutation({
    mutationFn: () => client.endSession(session.id),
    meta: ACCOUNT_CHANGE,
    onSuccess: () => say(words.deviceSignedOut(name)),
  });
  return (
    <CardRow
      button={
        !session.isCurrent && (
          <Button
            aria-label={words.signOutDevice(name)}
            isBusy={end.isPending}
            busyLabel={words.signingOut}
            onClick={() => end.mutate()}
          >
            {words.signOut}
          </Button>
        )
      }
    >
      {name} {session.isCurrent && <Badge>{words.thisDevice}</Badge>}
      <div className="muted small">
        {words.lastUsed} <Time at={session.refreshedAt ?? session.signedInAt} /> · {session.ip} ·{' '}
        {listMethods(session)}
      </div>
      <ErrorNotice error={end.error} />
    </CardRow>
  );
};

/** The device in use is marked and has no button, so that nobody signs it out by accident. */
export const DevicesCard = () => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const query = useSessions();
  const { data } = query;
  const signOutElsewhere = (
    <AccountAction
      button={words.signOutElsewhere}
      buttonLook="link"
      title={words.signOutElsewhereQuestion}
      text={words.signOutElsewhereHint}
      submit={words.signOutElsewhere}
      submitting={words.signingOut}
      isDanger
      onSubmit={() => client.endOtherSessions()}
      done={() => words.signedOutElsewhere}
    />
  );
  return (
    <Card title={words.devices} action={data && data.length > 1 && signOutElsewhere}>
      <QueryErrorRow query={query} />
      {data?.map((session) => (
        <Device key={session.id} session={session} />
      ))}
    </Card>
  );
};
