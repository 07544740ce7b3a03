import { fireEvent, render, waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { useState } from 'react';
import { expectText } from '../../testing/expectations.ts';
import { findField, press, user } from '../../testing/screen.ts';
import { Button } from '../button.tsx';
import { useKeptFocus } from '../keys/kept-focus.ts';
import { Dialog } from './dialog.tsx';

const TwoDialogs = () => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Dialog title="Lower" isOpen>
        <input aria-label="Name" />
        <Button onClick={() => setOpen(true)}>Ask</Button>
      </Dialog>
      <Dialog title="Upper" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Button onClick={() => setOpen(false)}>Close</Button>
      </Dialog>
    </>
  );
};

const DialogThatLoads = () => {
  const [isOpen, setOpen] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  useKeptFocus();
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Dialog title="Verify?" isOpen={isOpen} onClose={() => undefined}>
        {isLoaded ? <Button>Cancel</Button> : <input aria-label="Name" onChange={() => setLoaded(true)} />}
      </Dialog>
    </>
  );
};

const OneAfterTheOther = () => {
  const [step, setStep] = useState(1);
  return (
    <>
      <Dialog title="First" isOpen={step === 1} onClose={() => undefined}>
        <Button onClick={() => setStep(2)}>Go on</Button>
      </Dialog>
      <Dialog title="Second" isOpen={step === 2} onClose={() => undefined}>
        <p>The second</p>
      </Dialog>
    </>
  );
};

describe('dialogs', () => {
  it('take over the history entry of one that closes as they open, so that one step back leaves them', async () => {
    const { unmount } = render(<OneAfterTheOther />);
    const before = history.length;
    await press('Go on');
    await expectText('The second');
    expect(history.state).to.deep.equal({ dialogs: 1 });
    expect(history.length).to.equal(before);
    unmount();
  });

  it('show one at a time: the one below keeps what was typed until it is back', async () => {
    const { unmount } = render(<TwoDialogs />);
    const isCovered = () =>
      [...document.querySelectorAll('dialog')].map((dialog) => dialog.hasAttribute('data-covered'));
    const field = await findField('Name');
    fireEvent.input(field, { target: { value: 'Ada' } });
    await press('Ask');
    expect(isCovered()).to.deep.equal([true, false]);
    await press('Close');
    expect(isCovered()).to.deep.equal([false]);
    expect((await findField('Name')).value).to.equal('Ada');
    unmount();
  });

  it('give the focus to what has replaced the focused element, and not to the button that closes them', async () => {
    const { unmount } = render(<DialogThatLoads />);
    await press('Open');
    await user.type(await findField('Name'), 'A');
    await waitFor(() => expect(document.activeElement?.textContent).to.equal('Cancel'));
    unmount();
  });
});
