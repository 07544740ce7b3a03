import { Route } from 'wouter';
import type { Platform } from '../../session/platform.ts';
import { answer } from '../../testing/contract.ts';
import { expectText } from '../../testing/expectations.ts';
import { UserPage } from '../users/user-page.tsx';
import { renderConsole } from './render-console.tsx';

export const ID = '018f4f3a-0000-7000-8000-000000000001';

/** Says what the platform answers about Mila Novak from now on: a customer, unless it is changed. */
export const answerUser = (changes: object = {}): void =>
  answer('getUser', {
    body: (user: object) => ({
      ...user,
      id: ID,
      email: 'mila@example.com',
      name: 'Mila Novak',
      roles: ['CUSTOMER'],
      isBlocked: false,
      isEmailVerified: true,
      ...changes,
    }),
  });

/** Opens her page in the console. */
export const openUser = async (changes?: object): Promise<Platform> => {
  answerUser(changes);
  const platform = await renderConsole(<Route path="/users/:id" component={UserPage} />, `/users/${ID}`);
  await expectText('Mila Novak');
  return platform;
};
