import type { Passkey } from '@platform/client';
import { deletePasskey, renamePasskey } from '@platform/client/account';
import { isPasskeyAvailable } from '@platform/client/passkeys';
import type { ReactNode } from 'react';
import { FingerprintIcon } from '../components/form-icons.tsx';
import { TextField } from '../components/forms/fields.tsx';
import { PlusIcon } from '../components/icons.tsx';
import { useSignedIn } from '../session/session-gate.tsx';
import { formatLongDate } from '../words/formats.ts';
import { useWords } from '../words/words.ts';
import { AccountAction, type Change } from './account-action.tsx';
import { BinIcon, PencilIcon } from './account-icons.tsx';
import { addPasskey, useSayAdded } from './add-passkey.ts';
import { useIdentities, useSecondFactor } from './queries.ts';
import { ActionGroup, Moment, Row, WideRow } from './rows.tsx';
import { OWN_ACCOUNT } from './words.ts';

const NAME_LENGTH = 64;

type NameFields = { name: string };

type AddPasskeyProps = { button: ReactNode; buttonLook?: 'link' | 'plain'; isWide?: boolean };

export const AddPasskey = ({ button, buttonLook = 'link', isWide = false }: AddPasskeyProps) => {
  const words = useWords(OWN_ACCOUNT);
  const sayAdded = useSayAdded();
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
      asks="password"
      onSubmit={({ client, fields, proof }: Change<NameFields>) => addPasskey(client, proof, fields.name)}
      done={sayAdded}
    >
      <TextField<NameFields>
        name="name"
        label={words.name}
        hint={words.passkeyNameHint}
        isOptional
        maxLength={NAME_LENGTH}
      />
    </AccountAction>
  );
};

const RenamePasskey = ({ passkey: { id, name } }: { passkey: Passkey }) => {
  const words = useWords(OWN_ACCOUNT);
  return (
    <AccountAction
      button={<PencilIcon />}
      buttonLabel={words.renamePasskey(name)}
      title={words.renamePasskey(name)}
      submit={words.rename}
      submitting={words.renaming}
      onSubmit={({ client, fields }: Change<NameFields>) => renamePasskey(client, id, fields.name.trim())}
      done={() => words.passkeyRenamed}
    >
      <TextField<NameFields>
        name="name"
        label={words.name}
        missing={words.passkeyNameMissing}
        defaultValue={name}
        maxLength={NAME_LENGTH}
      />
    </AccountAction>
  );
};

const RemovePasskey = ({ passkey: { id, name } }: { passkey: Passkey }) => {
  const words = useWords(OWN_ACCOUNT);
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
      asks="factor"
      onSubmit={({ client, proof }: Change) => deletePasskey(client, id, proof)}
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
