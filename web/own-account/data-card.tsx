import { deleteAccount, exportAccount } from '@platform/client/account';
import { useMutation } from '@tanstack/react-query';
import { Button } from '../components/button.tsx';
import { Card, CardRow } from '../components/card.tsx';
import { TextField } from '../components/fields.tsx';
import { LanguageSelect } from '../components/language-select.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { OWN_ACCOUNT } from '../words/own-account.ts';
import { useWords } from '../words/words.ts';
import { AccountAction } from './account-action.tsx';
import { useProof } from './proof.tsx';

const saveFile = (name: string, content: unknown): void => {
  const url = URL.createObjectURL(
    new Blob([JSON.stringify(content, undefined, 2)], { type: 'application/json' }),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};

const escapePattern = (text: string): string => text.replace(/[/\\^$*+?.()|[\]{}]/g, '\\$&');

const DeleteAccount = () => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const { user } = useSignedIn();
  const proof = useProof({ wantsFactor: true });
  return (
    <AccountAction
      button={words.deleteOpen}
      buttonLook="danger-quiet"
      buttonLabel={words.deleteAccount}
      title={words.deleteAccountQuestion(user.email)}
      text={words.deleteAccountText}
      submit={words.deleteAccount}
      submitting={words.deleting}
      isDanger
      proof={proof}
      onSubmit={async (read) => deleteAccount(client, await proof.read(read))}
      done={() => words.accountDeleted}
    >
      <TextField
        name="typedEmail"
        label={words.typeEmail(user.email)}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        pattern={`\\s*${escapePattern(user.email)}\\s*`}
        invalid={words.typeEmailInvalid}
      />
    </AccountAction>
  );
};

export const DataCard = () => {
  const words = useWords(OWN_ACCOUNT);
  const { client, kind } = usePlatform();
  const download = useMutation({
    mutationFn: async () => saveFile('account.json', await exportAccount(client)),
  });
  return (
    <Card title={words.data}>
      <CardRow button={<LanguageSelect />}>
        {words.language}
        <div className="muted small">{words.languageHint}</div>
      </CardRow>
      <CardRow
        button={
          <Button isBusy={download.isPending} busyLabel={words.downloading} onClick={() => download.mutate()}>
            {words.download}
          </Button>
        }
      >
        {words.export}
        <div className="muted small">{words.exportHint}</div>
        <ErrorNotice error={download.error} />
      </CardRow>
      {/* The platform deletes no account that holds a role, which every administrator's does. */}
      <CardRow button={kind !== 'administrator' && <DeleteAccount />}>
        {words.deleteAccount}
        <div className="muted small">
          {kind === 'administrator' ? words.deleteAccountWithRole : words.deleteAccountHint}
        </div>
      </CardRow>
    </Card>
  );
};
