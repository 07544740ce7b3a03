import { StackError } from '../stack-error.ts';

export type MockConfig = {
  /** 0 means any free port. */
  port: number;
  host: string;
};

/** Reads the environment of `npm run mock`. @throws StackError */
export const readMockConfig = (env: NodeJS.ProcessEnv): MockConfig => {
  const text = env['MOCK_PORT']?.trim() || '4010';
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new StackError(`MOCK_PORT is "${text}": use a whole number from 0 to 65535`);
  // Loopback only: every password signs in.
  return { port, host: '127.0.0.1' };
};
