import { fireEvent, render, waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { useState } from 'react';
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

describe('dialogs', () => {
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
