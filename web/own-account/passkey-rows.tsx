import type { Passkey } from '@platform/client';
import { deletePasskey, renamePasskey } from '@platform/client/account';
import { isPasskeyAvailable, registerPasskey } from '@platform/client/passkeys';
import type { ReactNode } from 'react';
import { FingerprintIcon } from '../components/form-icons.tsx';
import { TextField } from '../components/forms/fields.tsx';
import { PlusIcon } from '../components/icons.tsx';
import { useSayStatus } from '../components/status.tsx';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { formatLongDate } from '../words/formats.ts';
import { OWN_ACCOUNT } from '../words/own-account.ts';
import { useWords } from '../words/words.ts';
import { AccountAction } from './account-action.tsx';
import { BinIcon, PencilIcon } from './account-icons.tsx';
import { type ProofFields, useProof } from './proof.tsx';
import { useIdentities, useSecondFactor } from './queries.ts';
import { useRecoveryCodes } from './recovery-codes.tsx';
import { ActionGroup, Moment, Row, WideRow } from './rows.tsx';

const NAME_LENGTH = 64;

type NameFields = { name: string };

type AddPasskeyProps = { button: ReactNode; buttonLook?: 'link' | 'plain'; isWide?: boolean };

/** Shows the recovery codes of a first factor that the role requires. */
export const AddPasskey = ({ button, buttonLook = 'link', isWide = false }: AddPasskeyProps) => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const proof = useProof();
  const codes = useRecoveryCodes();
  const say = useSayStatus();
  const hasPassword = useIdentities().data?.hasPassword;
  return (
    <AccountAction
      button={button}
      buttonLook={buttonLook}
      isWide={isWide}
      title={words.addPasskey}
      text={`${words.addPasskeyHint}${hasPassword ? ` ${words.passwordStays}` : ''}`}
      submit={words.addPasskey}
      submitting={words.addingPasskey}
      proof={proof}
      onSubmit={async (fields: NameFields & ProofFields) => {
        const confirmation = await proof.read(fields);
        const { nameOfPasskey } = await import('./passkey-providers.ts');
        const { name, recoveryCodes } = await registerPasskey(client, {
          ...confirmation,
          name: fields.name.trim() || nameOfPasskey,
        });
        const added = words.passkeyAdded(name);
        if (!recoveryCodes) return added;
        codes.show(recoveryCodes, () => say(added));
        return undefined;
      }}
      done={(added) => added}
    >
      <TextField<NameFields>
        name="name"
        label={words.passkeyName}
        hint={words.passkeyNameHint}
        isOptional
        maxLength={NAME_LENGTH}
      />
    </AccountAction>
  );
};

const RenamePasskey = ({ passkey: { id, name } }: { passkey: Passkey }) => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  return (
    <AccountAction
      button={<PencilIcon />}
      buttonLabel={words.renamePasskey(name)}
      title={words.renamePasskey(name)}
      submit={words.rename}
      submitting={words.renaming}
      onSubmit={(fields: NameFields) => renamePasskey(client, id, fields.name.trim())}
      done={() => words.passkeyRenamed}
    >
      <TextField<NameFields>
        name="name"
        label={words.passkeyName}
        missing={words.passkeyNameMissing}
        defaultValue={name}
        maxLength={NAME_LENGTH}
      />
    </AccountAction>
  );
};

const RemovePasskey = ({ passkey: { id, name } }: { passkey: Passkey }) => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const proof = useProof({ wantsFactor: true });
  const isRequired = useSecondFactor().data?.isRequired;
  return (
    <AccountAction
      button={<BinIcon />}
      buttonLabel={words.removePasskey(name)}
      title={words.removePasskeyTitle(name)}
      text={isRequired ? words.removeFactorHint : words.removePasskeyHint}
      submit={words.removePasskeyButton}
      submitting={words.removing}
      isDanger
      proof={proof}
      onSubmit={async (fields: ProofFields) => deletePasskey(client, id, await proof.read(fields))}
      done={() => words.passkeyRemoved}
    />
  );
};

const PasskeyRow = ({ passkey }: { passkey: Passkey }) => {
  const words = useWords(OWN_ACCOUNT);
  const { name, createdAt, lastUsedAt } = passkey;
  return (
    <Row
      icon={<FingerprintIcon />}
      title={name}
      notes={[
        words.added(formatLongDate(new Date(createdAt))),
        lastUsedAt ? <Moment key="used" at={lastUsedAt} sentence={words.lastUsed} /> : words.neverUsed,
      ]}
      action={
        <span className="item-icons">
          <RenamePasskey passkey={passkey} />
          <RemovePasskey passkey={passkey} />
        </span>
      }
    />
  );
};

/** One row for each passkey, with its own rename and remove. */
export const PasskeyRows = () => {
  const words = useWords(OWN_ACCOUNT);
  const { user } = useSignedIn();
  const passkeys = useSecondFactor().data?.passkeys ?? [];
  const isPossible = user.isEmailVerified && isPasskeyAvailable();
  const hint = isPasskeyAvailable() ? words.passkeysNone : words.passkeyUnavailable;
  return (
    <ActionGroup title={words.passkeys}>
      {passkeys.map((passkey) => (
        <PasskeyRow key={passkey.id} passkey={passkey} />
      ))}
      {passkeys.length === 0 && (
        <Row
          icon={<FingerprintIcon />}
          title={hint}
          notes={user.isEmailVerified ? [] : [words.verifyFirst]}
        />
      )}
      {isPossible && (
        <WideRow>
          <AddPasskey
            button={
              <>
                <PlusIcon />
                {words.addPasskey}
              </>
            }
          />
        </WideRow>
      )}
    </ActionGroup>
  );
};
