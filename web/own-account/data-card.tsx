import { isPlatformError } from '@platform/client';
import { deleteAccount, exportAccount } from '@platform/client/account';
import { useMutation } from '@tanstack/react-query';
import { useShownAddress } from '../components/address.tsx';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { TextField } from '../components/forms/fields.tsx';
import { FolderIcon, SignOutIcon } from '../components/icons.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { saveFile } from '../page/save-file.ts';
import { getSettings } from '../page/settings.ts';
import { saveFarewell } from '../session/farewell.ts';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { useWords } from '../words/words.ts';
import { AccountAction, type Change } from './account-action.tsx';
import { BinIcon, FileIcon, WarningIcon } from './account-icons.tsx';
import { LanguageRow } from './profile-card.tsx';
import { Group, Row } from './rows.tsx';
import { OWN_ACCOUNT } from './words.ts';

const escapePattern = (character: string): string => character.replace(/[/\\^$*+?.()|[\]{}]/g, '\\$&');

/** A pattern that accepts the address in upper and lower case. */
const toPattern = (email: string): string => {
  const letters = [...email].map((letter) => {
    const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
    return lower === upper ? escapePattern(letter) : `[${lower}${upper}]`;
  });
  return `\\s*${letters.join('')}\\s*`;
};

const Facts = () => {
  const { deleteFacts } = useWords(OWN_ACCOUNT);
  return (
    <ul className="item-facts">
      <li>
        <SignOutIcon />
        {deleteFacts.signedOut}
      </li>
      <li>
        <BinIcon />
        {deleteFacts.deleted}
      </li>
      <li>
        <FolderIcon />
        {deleteFacts.projects}
      </li>
      <li>
        <WarningIcon />
        <strong>{deleteFacts.forever}</strong>
      </li>
    </ul>
  );
};

const DeleteAccount = () => {
  const words = useWords(OWN_ACCOUNT);
  const { user } = useSignedIn();
  const shown = useShownAddress(user.email);
  return (
    <AccountAction
      button={words.deleteOpen}
      buttonLook="danger-quiet"
      buttonLabel={words.deleteAccount}
      title={words.deleteTitle}
      submit={words.deleteAccount}
      submitting={words.deleting}
      cancel={words.keepAccount}
      isDanger
      asks="factor"
      onSubmit={async ({ client, proof }: Change) => {
        await deleteAccount(client, proof);
        saveFarewell('ACCOUNT_DELETED');
      }}
      sentenceOf={(error) =>
        isPlatformError(error, 'PLATFORM_ROLE_TAKEN') ? words.deleteAccountWithRole : undefined
      }
    >
      <Facts />
      <TextField<{ typedEmail: string }>
        name="typedEmail"
        label={words.typeEmail(shown)}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        inputMode="email"
        pattern={`${toPattern(user.email)}|${toPattern(shown)}`}
        missing={words.emailMissing}
        invalid={words.typeEmailInvalid}
      />
    </AccountAction>
  );
};

const Export = () => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const download = useMutation({
    mutationFn: async () => {
      const content = JSON.stringify(await exportAccount(client), undefined, 2);
      const day = new Date().toISOString().slice(0, 10);
      saveFile(words.exportFile(getSettings().productName, day), 'application/json', content);
    },
  });
  return (
    <Row
      icon={<FileIcon />}
      title={words.export}
      notes={[words.exportHint]}
      action={
        <Button look="link" mutation={download} busyLabel={words.downloading}>
          {words.download}
        </Button>
      }
    >
      <ErrorNotice error={download.error} />
    </Row>
  );
};

export const DataCard = () => {
  const words = useWords(OWN_ACCOUNT);
  const { kind } = usePlatform();
  // The platform deletes no account that has a platform role, as each administrator has.
  const hasRole = kind === 'administrator';
  return (
    <Card title={words.data}>
      <Group>
        {hasRole && <LanguageRow />}
        <Export />
        <Row
          icon={<BinIcon />}
          title={words.deleteAccount}
          notes={[hasRole ? words.deleteAccountWithRole : words.deleteAccountHint]}
          action={!hasRole && <DeleteAccount />}
        />
      </Group>
    </Card>
  );
};
