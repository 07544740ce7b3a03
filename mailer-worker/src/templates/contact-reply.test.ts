import { expect } from 'chai';
import { createRenderer, HOSTILE, TO } from '../../testing/preview/example-mails.ts';
import { toVisibleText } from '../../testing/visible-text.ts';

const render = createRenderer('Marketplace');
const reply = (fields: object = {}) =>
  render({
    template: 'contact-reply',
    to: TO,
    language: 'en',
    replyTo: 'contact@example.com',
    text: 'Hello',
    subject: null,
    message: null,
    wroteAt: '2026-11-20T23:30:00.000Z',
    ...fields,
  });

describe('reply to a contact form', () => {
  it('has a subject although the form has none, and quotes nothing if there is no message', () => {
    const { subject, text, replyTo } = reply();
    expect(subject).to.equal('Re: your request');
    expect(replyTo).to.equal('contact@example.com');
    expect(text).not.to.include('You wrote');
  });

  it('quotes the message of the sender with its day', () => {
    expect(reply({ message: 'Help\n\nme' }).text).to.include(
      'You wrote on 20 November 2026:\n> Help\n> \n> me',
    );
  });

  it('quotes it below the whole reply', () => {
    const { text, html } = reply({ text: 'Hello Ada,\n\nthe money is back.', message: 'Where is it?' });
    for (const shown of [text, toVisibleText(html)])
      expect(shown.indexOf('the money is back.')).to.be.within(0, shown.indexOf('You wrote on'));
  });

  it('shows hostile texts unchanged, and none of them becomes markup, a header or a signature', () => {
    const hostile = `${HOSTILE}\r\nBcc: evil@example.com\n-- \nAnother product`;
    const { subject, text, html } = reply({ text: hostile, subject: hostile, message: hostile });
    expect(text).to.include(HOSTILE).and.include(`> ${HOSTILE}`);
    expect(toVisibleText(html)).to.include(HOSTILE);
    expect(html).not.to.match(/<script|<img/i);
    expect(subject).not.to.match(/[\r\n]/);
    expect(text.match(/^-- $/gm)).to.have.lengthOf(1);
  });
});
