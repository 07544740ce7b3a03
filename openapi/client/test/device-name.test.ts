import { describeDevice } from '@platform/client/device-name';
import { expect } from 'chai';

const CASES: [name: string | undefined, userAgent: string | null][] = [
  [
    'Chrome on Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  ],
  [
    'Microsoft Edge on Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
  ],
  [
    'Safari on iOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  ],
  [
    'Chrome on iOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1',
  ],
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  [
    'Samsung Internet on Android',
    'Mozilla/5.0 (Linux; Android 16; SM-S931B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36',
  ],
  [
    'Safari on macOS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  ],
  ['Linux', 'an application on Linux'],
  [undefined, 'curl/8.17.0'],
  [undefined, 'Call +1 800 555/1.0 now'],
  [undefined, 'https://evil.example/x (Windows-like) y/1 '],
  [undefined, '<b>/1 x'],
  [undefined, ' '],
  [undefined, ''],
  [undefined, null],
];

describe('name of a device', () => {
  for (const [name, userAgent] of CASES)
    it(`is ${name ?? 'unknown'} for ${userAgent === null ? 'nothing' : `"${userAgent}"`}`, () => {
      expect(describeDevice(userAgent, (browser, system) => `${browser} on ${system}`)).to.equal(name);
    });
});
