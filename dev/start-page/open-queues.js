// Signs in and opens the queue dashboard in this browser. Its cookie is for the dashboard only.
const form = document.querySelector('form');

const post = (path, headers, body) => fetch(`/api/v1${path}`, { method: 'POST', headers, body });

const openQueues = async () => {
  const headers = { 'Content-Type': 'application/json', 'X-Fingerprint': 'start page' };
  const body = JSON.stringify(Object.fromEntries(new FormData(form)));
  const { token, message } = await (await post('/auth/admin/sign-in', headers, body)).json();
  if (!token) return message;
  const opened = await post('/administrator/queues/session', { Authorization: `Bearer ${token}` });
  if (!opened.ok) return (await opened.json()).message;
  location.assign('/api/v1/administrator/queues/');
  return '';
};

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  form.querySelector('output').textContent = await openQueues().catch(String);
});
