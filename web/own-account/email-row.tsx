import { Address } from '../components/address.tsx';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { CheckIcon, MailIcon } from '../components/form-icons.tsx';
import { useSignedIn } from '../session/session-gate.tsx';
import { useWords } from '../words/words.ts';
import type { EmailDialog } from './email-dialog.tsx';
import { usePendingEmail } from './queries.ts';
import { ActionGroup, Row } from './rows.tsx';
import { OWN_ACCOUNT } from './words.ts';

/** Asks the person to verify the address. It is a task and not an error, so it has no alarming colour. */
export const VerifyBanner = ({ onVerify }: { onVerify: () => void }) => {
  const words = useWords(OWN_ACCOUNT);
  const { user } = useSignedIn();
  if (user.isEmailVerified) return null;
  return (
    <section className="banner" aria-label={words.bannerTitle}>
      <MailIcon />
      <div>
        <strong>{words.bannerTitle}</strong>
        <p>{words.bannerText}</p>
      </div>
      <div className="banner-actions">
        <Button look="main" onClick={onVerify}>
          {words.verify}
        </Button>
      </div>
    </section>
  );
};

export const EmailRow = ({ dialog }: { dialog: EmailDialog }) => {
  const words = useWords(OWN_ACCOUNT);
  const { user } = useSignedIn();
  const pending = usePendingEmail().data;
  return (
    <ActionGroup>
      <Row
        icon={<MailIcon />}
        title={words.email}
        badge={
          user.isEmailVerified ? (
            <Badge look="ok">
              <CheckIcon />
              {words.verified}
            </Badge>
          ) : (
            <Badge look="warn">{words.notVerified}</Badge>
          )
        }
        notes={[<Address key="address" of={user.email} />]}
        action={
          pending ? (
            <Button look="link" onClick={() => dialog.confirm(pending)}>
              {words.enterCode}
            </Button>
          ) : (
            <Button look="link" aria-label={words.changeEmail} onClick={dialog.change}>
              {words.change}
            </Button>
          )
        }
      >
        {pending && (
          <p className="item-note">
            {words.pendingRow}{' '}
            <strong>
              <Address of={pending.newEmail} />
            </strong>
          </p>
        )}
      </Row>
      {dialog.dialog}
    </ActionGroup>
  );
};
