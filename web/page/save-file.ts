/** The address stays valid for this long, because browsers read the file after the click. */
const READ_MILLISECONDS = 60_000;

/** Offers a file for download. Safari needs the link in the page, and the address for some time. */
export const saveFile = (name: string, type: string, content: string): void => {
  const url = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), READ_MILLISECONDS);
};
