import { expect } from 'chai';
import { createMessages } from '../src/messages.ts';
import { GERMAN } from '../src/messages-de.ts';
import { ENGLISH } from '../src/messages-en.ts';
import { PlatformError } from '../src/platform-error.ts';

const FAILED = 'Etwas ist schiefgegangen. Bitte versuchen Sie es später erneut.';

const { messageOf, fieldMessageOf, fieldErrors } = createMessages(
  { language: 'de' },
  { en: ENGLISH, de: GERMAN },
);

describe('client messages', () => {
  it('translate codes with the seconds to wait, and anything else to a general sentence', () => {
    const limited = new PlatformError('RATE_LIMITED', 'Slow down', { retryAfterSeconds: 7 });
    expect(messageOf(limited, 'en')).to.equal('Too many attempts. Please try again in 7 seconds.');
    expect(messageOf(limited, 'de')).to.include('in 7 Sekunden erneut');
    const soon = new PlatformError('RATE_LIMITED', 'Slow down', { retryAfterSeconds: 1 });
    expect(messageOf(soon, 'de')).to.include('in 1 Sekunde erneut');
    const newer = Object.assign(new PlatformError('EMAIL_TAKEN', 'Taken'), { code: 'toString' });
    for (const error of [newer, new Error('Other'), undefined])
      expect(messageOf(error, 'de')).to.equal(FAILED);
  });

  it('translate details by rule and parameters alone', () => {
    const detail = { path: '/body/password', message: 'English', rule: 'minLength', params: { limit: 8 } };
    expect(fieldMessageOf(detail, 'de')).to.equal('Bitte geben Sie mindestens 8 Zeichen ein.');
    expect(fieldMessageOf({ path: '/body/x', rule: 'of-a-newer-platform' }, 'de')).to.equal(
      'Der Wert ist ungültig.',
    );
  });

  it('are in the language of the client, of any region, and in the first one without a catalogue', () => {
    const taken = new PlatformError('EMAIL_TAKEN', 'Taken');
    expect(messageOf(taken)).to.equal(GERMAN.codes.EMAIL_TAKEN);
    for (const language of ['de-DE', 'DE_at', 'de'])
      expect(messageOf(taken, language)).to.equal(GERMAN.codes.EMAIL_TAKEN);
    for (const language of ['en-GB', 'fr', 'toString', '?'])
      expect(messageOf(taken, language)).to.equal(ENGLISH.codes.EMAIL_TAKEN);
  });

  it('name the first error of each field', () => {
    const details = [
      { path: '/body/email', message: '', rule: 'required' as const, params: {} },
      { path: '/body/email', message: '', rule: 'format' as const, params: {} },
      { path: '/body/address/city', message: '', rule: 'required' as const, params: {} },
      { path: '/body/tags/0', message: '', rule: 'required' as const, params: {} },
      { path: '/body', message: '', rule: 'required' as const, params: {} },
    ];
    const error = new PlatformError('VALIDATION_FAILED', 'Invalid', { details });
    const { required } = ENGLISH.rules;
    expect(fieldErrors(error, 'en')).to.deep.equal({
      email: required,
      'address.city': required,
      tags: required,
    });
    expect(fieldErrors(new Error('Other'))).to.deep.equal({});
  });

  it('have the same parameters in each language', () => {
    const read = (messages: Record<string, string>) =>
      Object.entries(messages).map(([name, text]) => [name, text.match(/{\w+}/g)]);
    expect(read(GERMAN.codes)).to.deep.equal(read(ENGLISH.codes));
    expect(read(GERMAN.rules)).to.deep.equal(read(ENGLISH.rules));
  });
});
