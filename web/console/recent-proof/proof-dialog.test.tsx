import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { answer, bodiesOf } from '../../testing/contract.ts';
import { fill, findField, press } from '../../testing/screen.ts';
import { renderConsole } from '../testing/render-console.tsx';
import { ProofDialog } from './proof-dialog.tsx';

type Example = Record<string, unknown>;

describe('dialog that asks for a recent proof', () => {
  it('wants the password and, where a second step is due, a factor', async () => {
    answer('identities', { body: (example: Example) => ({ ...example, hasPassword: true }) });
    answer('secondFactor', { body: (example: Example) => ({ ...example, isRequired: true, passkeys: [] }) });
    const answers: boolean[] = [];
    await renderConsole(<ProofDialog onAnswer={(isProved) => answers.push(isProved)} />);
    await findField('Current password');
    await fill({ 'Current password': 'Password123!', 'Code from your app': '123456' });
    await press('Confirm');
    await waitFor(() => expect(answers).to.deep.equal([true]));
    expect(bodiesOf('administratorProve')).to.deep.equal([
      { currentPassword: 'Password123!', totpCode: '123456' },
    ]);
  });
});
