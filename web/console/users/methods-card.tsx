import type { AdminUserDetail } from '@platform/client';
import { Button } from '../../components/button.tsx';
import { Card, CardRow } from '../../components/card.tsx';
import { FingerprintIcon, GlobeIcon } from '../../components/form-icons.tsx';
import { Time } from '../../components/time.tsx';
import { MobileIcon, PasswordIcon } from '../../own-account/account-icons.tsx';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { useNameOfProvider } from '../provider-names.ts';
import { hasFactors, hasFewCodes } from '../records/user.ts';
import { Disconnect, RemoveApp, RemovePasskey } from './factor-dialogs.tsx';
import { HelpMail } from './help-mail.tsx';
import { USER_ACTIONS } from './user-action-words.ts';
import { USERS } from './user-words.ts';

type MethodsProps = { user: AdminUserDetail; isOwn: boolean; onRemove: () => void };

const LastUsed = ({ at }: { at: string | null }) => {
  const words = useWords(USERS);
  return (
    <div className="muted small">
      {words.lastUsed} <Time at={at} />
    </div>
  );
};

/** How somebody can sign in, so that a colleague sees what is lost, with the help beside it. */
export const MethodsCard = ({ user, isOwn, onRemove }: MethodsProps) => {
  const words = useWords(USERS);
  const actions = useWords(USER_ACTIONS);
  const { hasPassword, passkeys, identities } = user;
  const { totp, recoveryCodesLeft, isRequired } = user.secondFactors;
  const hasAny = hasFactors(user);
  const nameOfProvider = useNameOfProvider(identities.length > 0);
  return (
    <Card
      title={words.methods}
      action={
        hasAny && (
          <Button look="link" onClick={onRemove}>
            {actions.removeFactors}
          </Button>
        )
      }
    >
      <CardRow icon={<PasswordIcon />} button={!isOwn && <HelpMail user={user} mail="reset" />}>
        {hasPassword ? words.password : words.noPassword}
      </CardRow>
      {totp && (
        <CardRow icon={<MobileIcon />} button={!isOwn && <RemoveApp user={user} app={words.app} />}>
          {words.app}
        </CardRow>
      )}
      {passkeys.map((passkey) => (
        <CardRow
          key={passkey.id}
          icon={<FingerprintIcon />}
          button={!isOwn && <RemovePasskey user={user} passkey={passkey} />}
        >
          {words.passkey}: <bdi>{passkey.name}</bdi>
          <LastUsed at={passkey.lastUsedAt} />
        </CardRow>
      ))}
      {identities.map(({ id, provider, email, lastUsedAt }) => (
        <CardRow
          key={id}
          icon={<GlobeIcon />}
          button={!isOwn && <Disconnect user={user} id={id} provider={nameOfProvider(provider)} />}
        >
          {[nameOfProvider(provider), email].filter(Boolean).join(' · ')}
          <LastUsed at={lastUsedAt} />
        </CardRow>
      ))}
      <CardRow>
        {hasAny && isRequired ? (
          <span className={hasFewCodes(user) ? 'text-warn' : undefined}>
            {words.codesLeft(formatNumber(recoveryCodesLeft), recoveryCodesLeft)}
          </span>
        ) : (
          <span className="muted">{words.noSecondStep}</span>
        )}
      </CardRow>
    </Card>
  );
};
