import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { useState } from 'react';
import { usePlatform } from '../../session/platform.ts';
import { answer } from '../../testing/contract.ts';
import { expectText } from '../../testing/expectations.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { press } from '../../testing/screen.ts';
import { Button } from '../button.tsx';
import { ErrorBoundary } from './error-boundary.tsx';

/** Breaks after a request. */
const Breaking = () => {
  const { client } = usePlatform();
  const [isBroken, setBroken] = useState(false);
  if (isBroken) throw new Error('A defect');
  return (
    <Button
      onClick={() =>
        void client
          .verifyEmail('123456')
          .catch(() => undefined)
          .then(() => setBroken(true))
      }
    >
      Break
    </Button>
  );
};

describe('error boundary', () => {
  const { error, warn } = console;
  const { reload } = window.location;
  let reloads = 0;
  beforeEach('keep the log of React away', () => {
    reloads = 0;
    Object.assign(console, { error: () => undefined, warn: () => undefined });
    window.location.reload = () => {
      reloads += 1;
    };
  });
  afterEach('restore', () => {
    Object.assign(console, { error, warn });
    window.location.reload = reload;
    Reflect.deleteProperty(navigator, 'onLine');
  });

  const breakPage = async () => {
    await renderScreen(
      <ErrorBoundary>
        <Breaking />
      </ErrorBoundary>,
    );
    await press('Break');
  };

  it('names the request that failed before, for the support', async () => {
    answer('verificationEmailCodeCheck', { code: 'INTERNAL_ERROR' });
    await breakPage();
    await expectText('This page couldn’t be loaded');
    await expectText(/^That is our fault, not yours\. .* tell our support this ID:/);
    await expectText('request-1');
  });

  it('names no request if none failed, and loads the page again', async () => {
    await breakPage();
    await expectText('This page couldn’t be loaded');
    expect(document.body.textContent).not.to.include('request-1');
    await press('Load again');
    expect(reloads).to.equal(1);
  });

  it('says that there is no connection, and loads the page again when there is one', async () => {
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    await breakPage();
    await expectText('No connection');
    expect(reloads).to.equal(0);
    Object.defineProperty(navigator, 'onLine', { value: true, configurable: true });
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(reloads).to.be.above(0));
  });
});
