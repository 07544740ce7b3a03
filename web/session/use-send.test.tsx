import { act, renderHook } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { useIsSending, useSend } from './use-send.ts';

describe('call of a form without queries', () => {
  const open = () => {
    const calls = new Map<string, PromiseWithResolvers<void>>();
    const errors: unknown[] = [];
    const call = (name: string) => {
      const pending = Promise.withResolvers<void>();
      calls.set(name, pending);
      return pending.promise;
    };
    const use = () => ({
      ...useSend(call, { onError: (error) => errors.push(error) }),
      isSending: useIsSending(),
    });
    const { result, unmount } = renderHook(use);
    return {
      errors,
      unmount,
      now: () => result.current,
      send: (name: string) => act(() => result.current.mutate(name)),
      fail: (name: string) => act(async () => calls.get(name)?.reject(name)),
      succeed: (name: string) => act(async () => calls.get(name)?.resolve()),
    };
  };

  it('is pending until it has failed, and its error stays until it is sent again', async () => {
    const page = open();
    await page.send('first');
    expect(page.now()).to.include({ isPending: true, isSending: true, variables: 'first' });
    await page.fail('first');
    expect(page.now()).to.include({ isPending: false, isSending: false, error: 'first' });
    expect(page.errors).to.deep.equal(['first']);
    await page.send('second');
    expect(page.now()).to.include({ isPending: true, error: null });
    await page.succeed('second');
    expect(page.now()).to.include({ isPending: false, error: null });
    page.unmount();
  });

  it('says nothing about a later one when it ends', async () => {
    const page = open();
    await page.send('first');
    await page.send('second');
    await page.fail('first');
    expect(page.now()).to.include({ isPending: true, error: null, variables: 'second' });
    await page.succeed('second');
    expect(page.now()).to.include({ isPending: false, isSending: false, error: null });
    page.unmount();
  });
});
