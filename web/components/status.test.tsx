import { useMutation } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { expectAnnouncement, expectNoText, expectText } from '../testing/expectations.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { press } from '../testing/screen.ts';
import { Button } from './button.tsx';
import { Page } from './frame/page.tsx';
import { StatusLine } from './frame/status-line.tsx';
import { useKeptFocus } from './keys/kept-focus.ts';
import { useSayStatus } from './status.tsx';

const Screen = () => {
  useKeptFocus();
  const say = useSayStatus();
  const block = useMutation({
    mutationFn: () => Promise.resolve(),
    onSuccess: () =>
      say('Ada is blocked.', { mutationFn: () => Promise.resolve(), undone: 'Ada is not blocked any more.' }),
  });
  const fail = useMutation({ mutationFn: () => Promise.reject(new Error('refused')) });
  return (
    <>
      <h1 tabIndex={-1}>Ada</h1>
      <StatusLine />
      <Button onClick={() => block.mutate()}>Block</Button>
      <Button onClick={() => fail.mutate()}>Fail</Button>
    </>
  );
};

const Devices = () => {
  useKeptFocus();
  const say = useSayStatus();
  const [devices, setDevices] = useState(['Laptop', 'Phone', 'Tablet']);
  const end = (ended: string) => {
    say(`${ended} is signed out.`);
    setDevices(devices.filter((device) => device !== ended));
  };
  return (
    <>
      <StatusLine />
      {devices.map((device) => (
        <div key={device} className="item">
          <Button onClick={() => end(device)}>{device}</Button>
        </div>
      ))}
    </>
  );
};

const Pages = () => {
  const say = useSayStatus();
  const [, navigate] = useLocation();
  const deleteIt = () => {
    navigate('/list');
    say('It is deleted.');
  };
  return (
    <>
      <StatusLine />
      <Switch>
        <Route path="/list">
          <Page key="list" title="List">
            <Button onClick={() => navigate('/')}>Back</Button>
          </Page>
        </Route>
        <Route>
          <Page title="Thing">
            <Button onClick={deleteIt}>Delete</Button>
          </Page>
        </Route>
      </Switch>
    </>
  );
};

describe('focus of a row that is gone', () => {
  it('goes to the next row, and from the last one to the status line', async () => {
    await renderScreen(<Devices />);
    await press('Phone');
    await waitFor(() => expect(document.activeElement?.textContent).to.equal('Tablet'));
    await press('Tablet');
    await waitFor(() => expect(document.activeElement?.className).to.include('status-line'));
  });
});

describe('status line', () => {
  const block = async () => {
    await renderScreen(<Screen />);
    await press('Block');
    await expectText('Ada is blocked.');
  };
  const focused = () => document.activeElement;

  it('says what is undone, and gets the focus of the button that is gone', async () => {
    await block();
    await press('Undo');
    await expectAnnouncement('Ada is not blocked any more.', 'status');
    await waitFor(() => expect(focused()?.classList.contains('status-line')).to.equal(true));
  });

  it('gives the focus to the heading when it is dismissed', async () => {
    await block();
    await press('Dismiss');
    await expectNoText('Ada is blocked.');
    await waitFor(() => expect(focused()?.tagName).to.equal('H1'));
  });

  it('stays on the page that the action leads to, until that one is left', async () => {
    await renderScreen(<Pages />);
    await press('Delete');
    await expectText('List');
    await expectText('It is deleted.');
    await press('Back');
    await expectText('Thing');
    await expectNoText('It is deleted.');
  });

  it('goes when the next action starts, so that it does not stand beside its error', async () => {
    await block();
    await press('Fail');
    await expectNoText('Ada is blocked.');
  });
});
