type SavedFile = { name: string; type: string; text: () => Promise<string> };

/** Collects the files that the page offers for download meanwhile. */
export const collectSaved = async (work: (saved: readonly SavedFile[]) => Promise<void>): Promise<void> => {
  const create = URL.createObjectURL;
  const files: Blob[] = [];
  const saved: SavedFile[] = [];
  URL.createObjectURL = (file) => {
    if (file instanceof Blob) files.push(file);
    return 'blob:saved';
  };
  const note = (event: Event) => {
    const { target } = event;
    const file = files.at(-1);
    if (!(target instanceof HTMLAnchorElement) || !target.download || !file) return;
    saved.push({ name: target.download, type: file.type, text: () => file.text() });
    // happy-dom would leave the page.
    event.preventDefault();
  };
  document.addEventListener('click', note);
  try {
    await work(saved);
  } finally {
    document.removeEventListener('click', note);
    URL.createObjectURL = create;
  }
};
