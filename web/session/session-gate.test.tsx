import { useMutation } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { useState } from 'react';
import { ActionDialog } from '../components/forms/action-dialog.tsx';
import { TextAreaField, TextField } from '../components/forms/fields.tsx';
import { Form } from '../components/forms/form.tsx';
import { SignInAgain } from '../signing-in/sign-in-again.tsx';
import { answer } from '../testing/contract.ts';
import { expectAnnouncement, expectNoText, expectText } from '../testing/expectations.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { fill, findField, press, user } from '../testing/screen.ts';
import { readDraft, saveDraft } from './drafts.ts';
import { createPageClient, type Platform, usePlatform } from './platform.ts';
import { SessionGate, useSignedIn } from './session-gate.tsx';

const Page = () => {
  const { user, signInAgain } = useSignedIn();
  return (
    <>
      <p>page of {user.email}</p>
      <label>
        Note <input />
      </label>
      <button type="button" onClick={() => void signInAgain()}>
        Prove
      </button>
    </>
  );
};

const Editor = () => {
  const user = usePlatform().client.getSnapshot().user;
  const [isSaved, setSaved] = useState(false);
  const [isClosed, setClosed] = useState(false);
  const save = useMutation({ mutationFn: async () => undefined });
  const saveAndClose = useMutation({
    mutationFn: async () => undefined,
    onSuccess: () => setClosed(true),
  });
  return (
    <>
      <p>for {user?.email ?? 'nobody'}</p>
      {isSaved && <p>saved</p>}
      <Form submit="Save" mutation={save} onSuccess={() => setSaved(true)}>
        <TextField<{ title: string }> name="title" label="Title" />
      </Form>
      {!isClosed && (
        <Form submit="Save and close" mutation={saveAndClose}>
          <TextField<{ code: string }> name="code" label="Code" />
        </Form>
      )}
    </>
  );
};

const Note = () => {
  const { client } = usePlatform();
  const save = useMutation({ mutationFn: () => client.me() });
  return (
    <ActionDialog title="Note" isOpen onClose={() => undefined} submit="Add" look="main" mutation={save}>
      <TextAreaField<{ text: string }> name="text" label="Text" />
    </ActionDialog>
  );
};

describe('session gate', () => {
  const renderGate = async (): Promise<Platform['client']> => {
    const { client } = await renderScreen(
      <SessionGate
        signIn={(reason) => <p>signed out: {reason ?? 'never signed in'}</p>}
        signInAgain={(props) => <SignInAgain {...props} name="Ada Lovelace" />}
      >
        <Page />
      </SessionGate>,
    );
    return client;
  };
  const CREDENTIALS = { email: 'customer@example.com', password: 'Password123!' };
  const renderSignedIn = async () => {
    const client = await renderGate();
    await expectText('signed out: never signed in');
    await client.signIn(CREDENTIALS);
    await expectText('page of customer@example.com');
    return client;
  };
  const expire = () => {
    answer('me', { code: 'TOKEN_INVALID' });
    answer('refreshToken', { code: 'TOKEN_INVALID' });
  };
  const inOtherTab = async (act: (client: Platform['client']) => Promise<unknown>) => {
    const other = createPageClient('customer');
    await act(other);
    other.close();
  };

  it('shows the page to who signs in, and the sign-in after they sign out', async () => {
    const client = await renderSignedIn();
    saveDraft('note', 'of the first person');
    history.replaceState({ search: 'Lovelace' }, '');
    await client.signOut();
    await expectText('signed out: SIGNED_OUT');
    expect(history.state, 'the search of a list').to.equal(null);
    expect(readDraft('note')).to.equal('');
  });

  it('keeps the page with what was typed when the session expires, and signs in again over it', async () => {
    const client = await renderSignedIn();
    await fill({ Note: 'half a sentence' });
    saveDraft('note', 'of the first person');
    expire();
    await client.me().catch(() => undefined);
    await expectText('Your session has ended');
    await expectText('Ada Lovelace');
    await expectText('customer@example.com');
    answer('me');
    answer('refreshToken');
    await fill({ Password: 'Password123!' });
    await press('Sign in again');
    await expectNoText('Your session has ended');
    expect((await findField('Note')).value).to.equal('half a sentence');
    expect(readDraft('note')).to.equal('of the first person');
  });

  it('says that there is no role any more to an administrator whose session has ended with it', async () => {
    const { client } = await renderScreen(
      <SessionGate
        signIn={() => <p>signed out</p>}
        signInAgain={(props) => <SignInAgain {...props} name="Ada Lovelace" />}
      >
        <Page />
      </SessionGate>,
      { kind: 'administrator', isSignedIn: true },
    );
    expire();
    await client.me().catch(() => undefined);
    answer('signIn', { code: 'PLATFORM_ROLE_INVALID' });
    await fill({ Password: 'Password123!' });
    await press('Sign in again');
    await expectAnnouncement('You no longer have a role here.');
  });

  it('says in a dialog that its text is not saved yet after the session has expired, until it is sent', async () => {
    await renderScreen(
      <SessionGate
        signIn={() => <p>signed out</p>}
        signInAgain={(props) => <SignInAgain {...props} name="Ada Lovelace" />}
      >
        <Note />
      </SessionGate>,
      { isSignedIn: true },
    );
    await fill({ Text: 'half a sentence' });
    expire();
    await user.keyboard('{Control>}{Enter}{/Control}');
    await expectText('Your session has ended');
    answer('me');
    answer('refreshToken');
    await fill({ Password: 'Password123!' });
    await press('Sign in again');
    await expectAnnouncement('What you typed is not saved yet.', 'status');
    expect((await findField('Text')).value).to.equal('half a sentence');
    await press('Add');
    await expectNoText(/not saved yet/);
  });

  describe('whose page stays only for what is not sent yet', () => {
    const renderEditor = async (type: () => Promise<void>) => {
      const { client } = await renderScreen(
        <SessionGate
          keepsUntouched={false}
          signIn={(reason) => (reason ? <p>signed out: {reason}</p> : <Editor />)}
          signInAgain={(props) => <SignInAgain {...props} name="Ada Lovelace" />}
        >
          <Editor />
        </SessionGate>,
      );
      await fill({ Title: 'typed into the sign-in form' });
      await client.signIn(CREDENTIALS);
      await expectText('for customer@example.com');
      await type();
      expire();
      await client.me().catch(() => undefined);
    };

    it('leads to the sign-in page, which names nobody, where nothing was typed', async () => {
      await renderEditor(async () => undefined);
      await expectText('signed out: TOKEN_INVALID');
    });

    it('leads to the sign-in page where all was saved', async () => {
      await renderEditor(async () => {
        await fill({ Title: 'A title' });
        await press('Save');
        await expectText('saved');
      });
      await expectText('signed out: TOKEN_INVALID');
    });

    it('leads to the sign-in page where the form is gone that was typed into', async () => {
      await renderEditor(async () => {
        await fill({ Code: '123456' });
        await press('Save and close');
        await expectNoText('Code');
      });
      await expectText('signed out: TOKEN_INVALID');
    });

    it('keeps the page where one of two forms was saved', async () => {
      await renderEditor(async () => {
        await fill({ Title: 'A title', Code: '123456' });
        await press('Save and close');
        await expectNoText('Code');
      });
      await expectText('Your session has ended');
    });

    it('keeps the page where something was typed', async () => {
      await renderEditor(() => fill({ Title: 'A title' }));
      await expectText('Your session has ended');
    });
  });

  it('deletes drafts when another account is chosen after the session has expired', async () => {
    const client = await renderSignedIn();
    saveDraft('note', 'of the first person');
    expire();
    await client.me().catch(() => undefined);
    const { reload } = window.location;
    let draftAtReload: string | undefined;
    window.location.reload = () => {
      draftAtReload = readDraft('note');
    };
    await press('Use another account');
    await waitFor(() => expect(draftAtReload).to.equal(''));
    window.location.reload = reload;
  });

  it('shows the sign-in when another tab signs out', async () => {
    await renderSignedIn();
    saveDraft('note', 'of the first person');
    await inOtherTab((client) => client.signOut());
    await expectText('signed out: SIGNED_OUT');
    expect(readDraft('note')).to.equal('');
  });

  it('shows nothing of the page when another person signs in in another tab', async () => {
    let timesReloaded = 0;
    const { reload } = window.location;
    window.location.reload = () => {
      timesReloaded += 1;
    };
    await renderSignedIn();
    saveDraft('note', 'of the first person');
    answer('signIn', {
      body: (example: { user: object }) => ({
        ...example,
        user: { ...example.user, id: '9e0f6a52-7c1d-4b93-a4e6-1d2f3b4c5a69', email: 'bob@example.com' },
      }),
    });
    await inOtherTab((client) => client.signIn(CREDENTIALS));
    await expectNoText(/^page of/);
    await waitFor(() => expect(timesReloaded).to.be.greaterThan(0));
    expect(readDraft('note')).to.equal('');
    window.location.reload = reload;
  });

  it('lets the person sign in again as a proof, or cancel it', async () => {
    await renderSignedIn();
    await press('Prove');
    await expectText('Sign in again to confirm that it is you.');
    await press('Cancel');
    await expectNoText(/to confirm that it is you/);
    await press('Prove');
    await fill({ Password: 'Password123!' });
    await press('Sign in');
    await expectNoText(/to confirm that it is you/);
    await expectText('page of customer@example.com');
  });
});
