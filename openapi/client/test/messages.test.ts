import { expect } from 'chai';
import { createMessages } from '../src/messages.ts';
import { GERMAN } from '../src/messages-de.ts';
import { ENGLISH } from '../src/messages-en.ts';
import { PlatformError } from '../src/platform-error.ts';

const FAILED = 'Der Dienst konnte das nicht ausführen. Bitte versuchen Sie es später erneut.';

const { messageOf, fieldMessageOf, fieldErrors } = createMessages(
  { language: 'de' },
  { en: ENGLISH, de: GERMAN },
);

describe('client messages', () => {
  it('translate codes, and anything else to a general sentence', () => {
    const taken = new PlatformError('EMAIL_TAKEN', 'Taken');
    expect(messageOf(taken, 'de')).to.equal('Zu dieser E-Mail-Adresse gibt es bereits ein Konto.');
    const newer = Object.assign(new PlatformError('EMAIL_TAKEN', 'Taken'), { code: 'toString' });
    for (const error of [newer, new Error('Other'), undefined])
      expect(messageOf(error, 'de')).to.equal(FAILED);
  });

  it('contain the time to wait in seconds, minutes or hours, rounded up', () => {
    const describeWait = (retryAfterSeconds: number, language: string) =>
      messageOf(new PlatformError('RATE_LIMITED', 'Slow down', { retryAfterSeconds }), language);
    expect(describeWait(7, 'en')).to.equal('Too many attempts. Try again in 7 seconds.');
    expect(describeWait(1, 'de')).to.include('in 1 Sekunde erneut');
    expect(describeWait(59, 'de')).to.include('in 59 Sekunden erneut');
    expect(describeWait(61, 'de')).to.include('in 2 Minuten erneut');
    expect(describeWait(3_600, 'de')).to.include('in 1 Stunde erneut');
    expect(describeWait(3_601, 'de')).to.include('in 2 Stunden erneut');
  });

  it('translate details by rule and parameters alone', () => {
    const detail = { path: '/body/password', message: 'English', rule: 'minLength', params: { limit: 8 } };
    expect(fieldMessageOf(detail, 'de')).to.equal('Bitte geben Sie mindestens 8 Zeichen ein.');
    expect(fieldMessageOf({ path: '/body/x', rule: 'of-a-newer-platform' }, 'de')).to.equal(
      'Der Wert ist ungültig.',
    );
  });

  it('are in the language of the client, with or without a region, or else in the first language', () => {
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

  it('name the fields of the factors of which one is missing', () => {
    const error = new PlatformError('FACTOR_REQUIRED', 'Missing', { factors: ['totp', 'recovery-code'] });
    const { FACTOR_REQUIRED: sentence } = ENGLISH.codes;
    expect(messageOf(error, 'en')).to.equal(sentence);
    expect(fieldErrors(error, 'en')).to.deep.equal({ totpCode: sentence, recoveryCode: sentence });
  });

  it('have the same parameters in each language', () => {
    const read = (messages: Record<string, string>) =>
      Object.entries(messages).map(([name, text]) => [name, text.match(/{\w+}/g)]);
    expect(read(GERMAN.codes)).to.deep.equal(read(ENGLISH.codes));
    expect(read(GERMAN.rules)).to.deep.equal(read(ENGLISH.rules));
  });
});
