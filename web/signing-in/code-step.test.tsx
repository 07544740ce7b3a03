import { isPlatformError } from '@platform/client';
import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { answer, listSent } from '../testing/contract.ts';
import { expectAnnouncement, expectNoText, expectText } from '../testing/expectations.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { fill, findField, press, user } from '../testing/screen.ts';
import { CodeStep } from './code-step.tsx';
import { useMailedCode } from './mailed-code.ts';

const CODE = '6-digit code';
const WRONG = 'That code is wrong or has expired.';

const Verification = ({ resendAt, onError }: { resendAt?: number; onError?: (error: unknown) => void }) => {
  const { client } = usePlatform();
  const { user: person } = useSignedIn();
  const code = useMailedCode({
    purpose: 'verification',
    email: person.email,
    onSend: () => client.sendVerificationCode(),
    ...(resendAt && { resendAt }),
  });
  return (
    <CodeStep
      code={code}
      sentence="We sent a 6-digit code to"
      onCode={(digits) => client.verifyEmail(digits)}
      {...(onError && { onError })}
    />
  );
};

describe('step of a mailed code', () => {
  const renderStep = (props: Parameters<typeof Verification>[0] = {}) =>
    renderScreen(<Verification {...props} />, { isSignedIn: true });
  const checks = () => listSent('verificationEmailCodeCheck').map(({ body }) => body);
  const allowResend = () =>
    answer('verificationEmailCode', { body: (example: object) => ({ ...example, resendIn: 0 }) });

  it('sends itself at six digits, whatever is pasted around them', async () => {
    await renderStep();
    await expectText('customer@example.com');
    await user.click(await findField(CODE));
    await user.paste('Code: 482 913');
    await waitFor(() => expect(checks()).to.deep.equal([{ code: '482913' }]));
    expect((await findField(CODE)).value).to.equal('482913');
  });

  it('takes the digits of every script, and the six that stand together', async () => {
    await renderStep();
    answer('verificationEmailCodeCheck', { code: 'CODE_INVALID' });
    for (const [index, [pasted, code]] of [
      ['Marketplace24: 085524 is your code', '085524'],
      ['Shop24: 913-482', '913482'],
      ['１２３４５６', '123456'],
      ['٤٨٢٩١٣', '482913'],
      ['०१२३४५', '012345'],
    ].entries()) {
      await user.clear(await findField(CODE));
      await user.paste(pasted);
      await waitFor(() => expect(checks()[index]).to.deep.equal({ code }));
      await expectText(/^That code/);
    }
  });

  it('sends nothing before the sixth digit, and says what is missing', async () => {
    await renderStep();
    await fill({ [CODE]: '12345' });
    await user.type(await findField(CODE), '{Enter}');
    await expectText('Enter the 6-digit code from the email.');
    expect(checks()).to.deep.equal([]);
  });

  it('keeps and selects a wrong code, and the next digit replaces it', async () => {
    await renderStep();
    answer('verificationEmailCodeCheck', { code: 'CODE_INVALID' });
    await fill({ [CODE]: '123456' });
    await expectText(WRONG);
    const field = await findField(CODE);
    expect(field.value).to.equal('123456');
    expect([field.selectionStart, field.selectionEnd]).to.deep.equal([0, 6]);
    expect(document.activeElement).to.equal(field);
    await user.keyboard('7');
    expect(field.value).to.equal('7');
    await expectNoText(WRONG);
    await expectNoText('Enter the 6-digit code from the email.');
  });

  it('says after the fifth wrong try that only another code helps, and begins anew with it', async () => {
    allowResend();
    await renderStep();
    answer('verificationEmailCodeCheck', { code: 'CODE_INVALID' });
    for (const last of ['1', '2', '3', '4', '5']) {
      await fill({ [CODE]: `00000${last}` });
      await waitFor(() => expect(checks()).to.have.length(Number(last)));
      await expectText(
        last === '5' ? 'That code no longer works after five wrong tries. Send a new one.' : WRONG,
      );
    }
    await press('Send a new code');
    await expectAnnouncement('We sent a new code. The old one no longer works.', 'status');
    await waitFor(async () => expect((await findField(CODE)).value).to.equal(''));
    await fill({ [CODE]: '000006' });
    await expectText(WRONG);
  });

  it('counts down once, for the eye, and reads the wait to others in words', async () => {
    answer('verificationEmailCode', { body: (example: object) => ({ ...example, resendIn: 117 }) });
    await renderStep();
    await expectText(/^Send a new code in 1:5\d$/);
    await expectText(/^Send a new code in 1 minute 5\d seconds$/);
    expect(document.querySelector('[aria-hidden]')?.textContent).to.match(/in 1:5\d$/);
  });

  it('sends no other code after a reload', async () => {
    await renderStep();
    await expectText('customer@example.com');
    const state = history.state;
    const { cleanup } = await import('@testing-library/react/pure.js');
    cleanup();
    await renderScreen(<Verification />, { isSignedIn: true, state });
    await expectText('customer@example.com');
    await expectText(/^Send a new code in/);
    expect(listSent('verificationEmailCode')).to.have.length(1);
  });

  it('sends no code where one was sent before', async () => {
    await renderStep({ resendAt: Date.now() + 60_000 });
    await expectText(/^Send a new code in/);
    expect(listSent('verificationEmailCode')).to.deep.equal([]);
  });

  it('can be sent again by a button after an error that is not about the code', async () => {
    await renderStep();
    answer('verificationEmailCodeCheck', 'unreachable');
    await fill({ [CODE]: '123456' });
    await expectAnnouncement('No answer. It is not known whether this was done.');
    answer('verificationEmailCodeCheck');
    await press('Continue');
    await waitFor(() => expect(checks()).to.deep.equal([{ code: '123456' }, { code: '123456' }]));
  });

  it('shows other errors above the field, and gives each to its caller', async () => {
    const errors: unknown[] = [];
    await renderStep({ onError: (error) => errors.push(error) });
    answer('verificationEmailCodeCheck', { code: 'RATE_LIMITED', headers: { 'Retry-After': '90' } });
    await fill({ [CODE]: '123456' });
    await expectAnnouncement('Too many attempts.');
    await expectText(/^Try again in 1:/);
    await fill({ [CODE]: '654321' });
    expect(checks()).to.have.length(1);
    expect(errors.map((error) => isPlatformError(error))).to.deep.equal([true]);
  });
});
