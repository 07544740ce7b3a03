import { useMutation } from '@tanstack/react-query';
import { fireEvent, waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { saveDraft } from '../../session/drafts.ts';
import { expectNoText, expectText } from '../../testing/expectations.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { findField, press } from '../../testing/screen.ts';
import { TextAreaField, TextField } from './fields.tsx';
import { Form } from './form.tsx';

type Fields = { note: string; name: string };

let sent: string[];

const Page = () => {
  const mutation = useMutation({
    mutationFn: async ({ note }: Fields) => void sent.push(note),
  });
  return (
    <Form mutation={mutation} submit="Send" submitting="Sending">
      <TextAreaField<Fields> name="note" label="Note" maxLength={2_000} draft="note" />
      <TextField<Fields> name="name" label="Name" maxLength={5} isOptional />
    </Form>
  );
};

describe('limit of a text', () => {
  beforeEach(() => {
    sent = [];
  });
  const paste = async (label: string, text: string) =>
    fireEvent.input(await findField(label), { target: { value: text } });

  it('keeps all that is pasted, counts it, and refuses it in words', async () => {
    await renderScreen(<Page />);
    await expectText('0 of 2,000');
    await paste('Note', 'é'.repeat(10_006));
    await expectText('10,006 of 2,000');
    expect((await findField('Note')).value).to.have.length(10_006);
    await press('Send');
    await expectText('8,006 characters too many. At most 2,000 are possible.');
    expect(sent).to.deep.equal([]);
    await paste('Note', 'x'.repeat(2_001));
    await expectText('1 character too many. At most 2,000 are possible.');
    await paste('Note', ` ${'x'.repeat(2_000)} `);
    await expectNoText(/too many/);
    await press('Send');
    await waitFor(() => expect(sent).to.have.length(1));
  });

  it('counts as the API does: an emoji and a combined letter are one character each', async () => {
    await renderScreen(<Page />);
    await paste('Note', '🙂e\u0301');
    await expectText('2 of 2,000');
  });

  it('refuses a draft that is too long already', async () => {
    saveDraft('note', 'x'.repeat(2_001));
    await renderScreen(<Page />);
    await press('Send');
    await expectText('1 character too many. At most 2,000 are possible.');
  });

  it('cuts no field of one line either', async () => {
    await renderScreen(<Page />);
    await paste('Note', 'x');
    await paste('Name (optional)', 'Ada Lovelace');
    await press('Send');
    await expectText('7 characters too many. At most 5 are possible.');
    expect(sent).to.deep.equal([]);
  });
});
