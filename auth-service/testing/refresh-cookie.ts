import { type HttpResponse, parseSetCookies } from '@platform/shared/testing/http-client';
import { expect } from 'chai';

type Response = Pick<HttpResponse, 'headers'>;

const ATTRIBUTES = { path: '/', httponly: true, secure: true, samesite: 'None' };

/** Expects that the response sets only this cookie, for this many seconds. */
export const expectCookieSet = (response: Response, name: string, seconds: number): void => {
  const [cookie, ...others] = parseSetCookies(response);
  expect(others).to.deep.equal([]);
  expect(cookie?.name).to.equal(name);
  const { expires: _expires, ...attributes } = cookie?.attributes ?? {};
  expect(attributes).to.deep.equal({ ...ATTRIBUTES, 'max-age': String(seconds) });
};

/** Expects that the response clears only this cookie. */
export const expectCookieCleared = (response: Response, name: string): void => {
  const attributes = { ...ATTRIBUTES, expires: 'Thu, 01 Jan 1970 00:00:00 GMT' };
  expect(parseSetCookies(response)).to.deep.equal([{ name, value: '', attributes }]);
};
