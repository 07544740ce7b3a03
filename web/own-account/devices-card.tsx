import type { OwnSession } from '@platform/client';
import { useMutation } from '@tanstack/react-query';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { SignOutIcon } from '../components/icons.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { QueryErrorRow } from '../components/states.tsx';
import { useSayStatus } from '../components/status.tsx';
import { usePlatform } from '../session/platform.ts';
import { describeMethods, nameOfDevice } from '../words/device.ts';
import { useWords } from '../words/words.ts';
import { AccountAction, type Change } from './account-action.tsx';
import { DeviceIcon } from './account-icons.tsx';
import { ACCOUNT_CHANGE, useNameOfProvider, useSessions } from './queries.ts';
import { ActionGroup, Moment, Row, WideRow } from './rows.tsx';
import { SignInHistory } from './sign-in-history.tsx';
import { OWN_ACCOUNT } from './words.ts';

const SignOutDevice = ({ session, name }: { session: OwnSession; name: string }) => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const say = useSayStatus();
  const end = useMutation({
    mutationFn: () => client.endSession(session.id),
    meta: ACCOUNT_CHANGE,
    onSuccess: () => say(words.deviceSignedOut(name)),
  });
  return (
    <>
      <Button look="link" aria-label={words.signOutDevice(name)} mutation={end} busyLabel={words.signingOut}>
        {words.signOut}
      </Button>
      <ErrorNotice error={end.error} />
    </>
  );
};

const Device = ({ session }: { session: OwnSession }) => {
  const words = useWords(OWN_ACCOUNT);
  const nameOfProvider = useNameOfProvider();
  const { isCurrent, ip, refreshedAt, signedInAt } = session;
  const name = nameOfDevice(session);
  return (
    <Row
      icon={<DeviceIcon userAgent={session.userAgent} />}
      title={name}
      badge={isCurrent && <Badge look="tint">{words.thisDevice}</Badge>}
      notes={[
        isCurrent ? (
          words.activeNow
        ) : (
          <Moment key="active" at={refreshedAt ?? signedInAt} sentence={words.lastActive} />
        ),
        `${ip} · ${describeMethods(session, nameOfProvider)}`,
      ]}
      action={!isCurrent && <SignOutDevice session={session} name={name} />}
    />
  );
};

const SignOutElsewhere = () => {
  const words = useWords(OWN_ACCOUNT);
  return (
    <AccountAction
      button={
        <>
          <SignOutIcon />
          {words.signOutElsewhere}
        </>
      }
      title={words.signOutElsewhereQuestion}
      text={words.signOutElsewhereHint}
      submit={words.signOutElsewhere}
      submitting={words.signingOut}
      isDanger
      onSubmit={({ client }: Change) => client.endOtherSessions()}
      done={() => words.signedOutElsewhere}
    />
  );
};

/** The device in use is marked and has no button, so that nobody signs it out by accident. */
export const DevicesCard = () => {
  const words = useWords(OWN_ACCOUNT);
  const query = useSessions();
  const { data } = query;
  return (
    <Card id="devices" title={words.devices}>
      <QueryErrorRow query={query} />
      <ActionGroup>
        {data?.map((session) => (
          <Device key={session.id} session={session} />
        ))}
        {data && data.length > 1 && (
          <WideRow>
            <SignOutElsewhere />
          </WideRow>
        )}
      </ActionGroup>
      <SignInHistory />
    </Card>
  );
};
