// The inbox page. Values from a mail are inserted as text, and its HTML is only shown in a sandboxed frame.
const shown = 300;
const pollMilliseconds = 2000;

const element = (id) => document.getElementById(id);
const views = [...document.querySelectorAll('[data-view]')];
let mails = [];
let seen = '';
let openId = location.hash.slice(1);
let view = 'html';

const timeOf = (mail) =>
  mail.date ? new Date(mail.date).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' }) : '';

const line = (className, text) => {
  const span = document.createElement('span');
  span.className = className;
  span.textContent = text;
  return span;
};

const matches = (mail, words) =>
  [...mail.to, mail.from, mail.subject, mail.text].join('\n').toLowerCase().includes(words);

const listItem = (mail) => {
  const button = document.createElement('button');
  button.type = 'button';
  button.id = `mail-${mail.id}`;
  button.setAttribute('aria-current', String(mail.id === openId));
  button.append(
    line('subject', mail.subject || '(no subject)'),
    line('about', `To ${mail.to.join(', ')}`),
    line('about', timeOf(mail)),
  );
  button.addEventListener('click', () => open(mail.id));
  const item = document.createElement('li');
  item.append(button);
  return item;
};

const showList = () => {
  const words = element('search').value.trim().toLowerCase();
  const found = words ? mails.filter((mail) => matches(mail, words)) : mails;
  const focused = document.activeElement?.id;
  element('mails').replaceChildren(...found.map(listItem));
  // The new button of the same mail: the keyboard stays where it was.
  if (focused) document.getElementById(focused)?.focus();
  element('count').textContent = mails.length >= shown ? `the newest ${shown}` : `${mails.length}`;
  element('empty').hidden = mails.length > 0;
  element('mails').hidden = mails.length === 0;
  element('clear').disabled = mails.length === 0;
};

const plainText = (mail) => {
  if (view === 'text') return mail.text;
  return Object.entries(mail.headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
};

const showMail = () => {
  const mail = mails.find(({ id }) => id === openId);
  element('mail').hidden = !mail;
  document.body.classList.toggle('reading', Boolean(mail));
  if (!mail) return;
  for (const id of ['subject', 'from']) element(id).textContent = mail[id];
  element('to').textContent = mail.to.join(', ');
  element('date').textContent = timeOf(mail);
  if (view === 'html' && !mail.html) view = 'text';
  for (const button of views) {
    button.hidden = button.dataset.view === 'html' && !mail.html;
    button.setAttribute('aria-pressed', String(button.dataset.view === view));
  }
  const frame = element('html');
  const source = `/api/email/${encodeURIComponent(mail.id)}/html`;
  frame.hidden = view !== 'html';
  if (view === 'html' && frame.getAttribute('src') !== source) frame.src = source;
  element('plain').hidden = view === 'html';
  element('plain').textContent = plainText(mail);
};

const open = (id) => {
  openId = id;
  view = 'html';
  history.replaceState(null, '', id ? `#${id}` : location.pathname);
  showList();
  showMail();
};

const refresh = async () => {
  const response = await fetch(`/api/email?limit=${shown}`);
  const version = response.headers.get('etag');
  if (!response.ok || version === seen) return;
  mails = (await response.json()).reverse();
  seen = version;
  showList();
  showMail();
};

const keepFresh = async () => {
  if (!document.hidden) {
    await refresh().catch(() => {
      element('count').textContent = 'unreachable, retrying';
      seen = '';
    });
  }
  setTimeout(keepFresh, pollMilliseconds);
};

element('search').addEventListener('input', showList);
element('back').addEventListener('click', () => open(''));
element('clear').addEventListener('click', async () => {
  if (!confirm('Remove all mails?')) return;
  await fetch('/api/email/all', { method: 'DELETE' });
  open('');
  await refresh();
});
for (const button of views) {
  button.addEventListener('click', () => {
    view = button.dataset.view;
    showMail();
  });
}
void keepFresh();
