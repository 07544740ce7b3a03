/** The text that a mail program displays. */
export const toVisibleText = (html: string): string =>
  html
    .replace(/<head>.*<\/head>/s, '')
    .replace(/<br>/g, '\n')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
