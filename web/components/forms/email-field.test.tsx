import { useMutation } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { expectNoText, expectText } from '../../testing/expectations.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { fill, findField, press, user } from '../../testing/screen.ts';
import { suggestAddress } from './address-suggestion.tsx';
import { EmailField } from './email-field.tsx';
import { Form } from './form.tsx';

type Fields = { email: string };

let sent: string[];

const Page = () => {
  const mutation = useMutation({ mutationFn: async ({ email }: Fields) => void sent.push(email) });
  return (
    <Form mutation={mutation} submit="Send" submitting="Sending">
      <EmailField<Fields> name="email" />
    </Form>
  );
};

describe('field of an email', () => {
  beforeEach(() => {
    sent = [];
  });

  it('suggests the well-known host that was mistyped, and takes it with one press', async () => {
    await renderScreen(<Page />);
    await fill({ Email: 'jonas@gmailcom' });
    await press('Send');
    await expectText('Enter a valid email, such as name@example.com.');
    await user.tab();
    await press('jonas@gmail.com');
    expect((await findField('Email')).value).to.equal('jonas@gmail.com');
    await expectNoText(/Did you mean|Enter a valid email/);
    await press('Send');
    await waitFor(() => expect(sent).to.deep.equal(['jonas@gmail.com']));
  });

  it('suggests hosts at a distance of two letters at most, and never another one for a known host', () => {
    const suggestions = {
      'jonas@gmial.com': 'jonas@gmail.com',
      'jonas@gmail.con': 'jonas@gmail.com',
      'Jonas@hotmial.com': 'jonas@hotmail.com',
      'jonas@wbe.de': 'jonas@web.de',
      'jonas@gmx.at': undefined,
      'jonas@gmx.eu': undefined,
      'jonas@example.com': undefined,
      'jonas@mailbox.net.au': undefined,
      jonas: undefined,
    };
    for (const [typed, suggested] of Object.entries(suggestions))
      expect(suggestAddress(typed), typed).to.equal(suggested);
  });

  it('rejects a host without a dot, and more than 64 characters before the @', async () => {
    await renderScreen(<Page />);
    for (const typed of ['jonas@example', `${'j'.repeat(65)}@example.com`]) {
      await fill({ Email: typed });
      await press('Send');
      await expectText('Enter a valid email, such as name@example.com.');
    }
    expect(sent).to.deep.equal([]);
  });
});
