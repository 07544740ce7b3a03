import { escapeHtml } from '@platform/shared/http/escape-html';
import type { Example } from './example-mails.ts';

const STYLES = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 1rem 1.5rem; }
section { margin: 2rem 0; }
div { display: flex; flex-wrap: wrap; gap: 1rem; }
iframe, pre { margin: 0; height: 26rem; border: 1px solid #888; overflow: auto; }
iframe { width: 40rem; }
iframe.phone { width: 23rem; }
pre { box-sizing: border-box; flex: 1 1 20rem; padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }`;

/** The sandbox disables scripts. The policy blocks all loading, and the frames inherit it from the page. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

const toFrame = (html: string, title: string, device: 'desktop' | 'phone'): string =>
  `<iframe title="${escapeHtml(title)} on a ${device}" class="${device}" sandbox="" srcdoc="${escapeHtml(html)}"></iframe>`;

const toSection = ({ title, mail: { sender, subject, text, html, replyTo } }: Example): string => `
<section>
<h2>${escapeHtml(title)}</h2>
<p>Subject: <strong>${escapeHtml(subject)}</strong>${replyTo ? `, Reply-To: ${escapeHtml(replyTo)}` : ''}${sender ? `, From: ${escapeHtml(sender)}` : ''}</p>
<div>
${toFrame(html, title, 'desktop')}
${toFrame(html, title, 'phone')}
<pre tabindex="0">${escapeHtml(text)}</pre>
</div>
</section>`;

/** Renders one page with each mail as HTML, on a wide and on a narrow screen, next to its text. */
export const renderPreviewPage = (examples: Example[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mails</title>
<style>${STYLES}</style>
</head>
<body>
<main>
<h1>Mails</h1>
${examples.map(toSection).join('\n')}
</main>
</body>
</html>
`;
