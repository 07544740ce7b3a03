import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { answer } from '../testing/contract.ts';
import { expectText } from '../testing/expectations.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { Enrolment } from './enrolment.tsx';

describe('enrolment of a second step', () => {
  it('has the focus on its heading: the button that signed in is gone', async () => {
    answer('secondFactor', { body: (example: object) => ({ ...example, totp: null, passkeys: [] }) });
    await renderScreen(<Enrolment />, { isSignedIn: true });
    await expectText('Protect your account');
    await waitFor(() => expect(document.activeElement?.textContent).to.equal('Protect your account'));
  });
});
