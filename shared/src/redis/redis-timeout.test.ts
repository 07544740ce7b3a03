import { setTimeout as delay } from 'node:timers/promises';
import { getRejection } from '@platform/shared/testing/rejection';
import { expect } from 'chai';
import { AppError, badRequest } from '../errors/app-error.ts';
import { withRedisTimeout } from './redis.ts';

const reject = async (command: Promise<unknown>): Promise<AppError> => {
  const error = await getRejection(withRedisTimeout(command));
  expect(error).to.be.instanceOf(AppError);
  return error as AppError;
};

describe('Redis timeout', () => {
  it('returns a result that arrives in time', async () => {
    expect(await withRedisTimeout(Promise.resolve('result'))).to.equal('result');
    expect(await withRedisTimeout(delay(50, null))).to.equal(null);
  });

  it('maps an error to 503 without exposing it', async () => {
    const cause = new Error('WRONGTYPE Operation against a key');
    const { status, code, message, cause: kept } = await reject(Promise.reject(cause));
    expect({ status, code, kept }).to.deep.equal({ status: 503, code: 'SERVICE_UNAVAILABLE', kept: cause });
    expect(message).not.to.include('WRONGTYPE');
  });

  it('maps no response within two seconds to 503', async () => {
    const started = performance.now();
    const { status } = await reject(new Promise(() => undefined));
    expect(status).to.equal(503);
    expect(performance.now() - started).to.be.at.least(1_900);
  });

  it('passes an AppError on unchanged', async () => {
    const error = badRequest('CODE_INVALID', 'No');
    expect(await reject(Promise.reject(error))).to.equal(error);
  });
});
