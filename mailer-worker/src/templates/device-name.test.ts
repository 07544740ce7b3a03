import { expect } from 'chai';
import { toDeviceName } from './device-name.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('name of a device', () => {
  for (const [userAgent, browser, system] of [
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`,
      'Chrome',
      'Windows',
    ],
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0`,
      'Microsoft Edge',
      'macOS',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0', 'Firefox', 'Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari',
      'iOS',
    ],
  ] as const)
    it(`is ${browser} on ${system}`, () => {
      expect(toDeviceName(userAgent)).to.deep.equal({ browser, system });
    });

  it('contains nothing that the client has made up', () => {
    const forged = [
      'Call +1 800 555/1.0 now',
      'https://evil.example/x (Windows-like) y/1 ',
      '<b>/1 x',
      'curl/8',
    ];
    for (const userAgent of [...forged, '', ' ', null])
      expect(toDeviceName(userAgent), String(userAgent)).to.deep.equal({
        browser: undefined,
        system: undefined,
      });
  });
});
