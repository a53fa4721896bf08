/** Gives the reader a file. Nothing leaves the page. */
export function download(name: string, text: string, type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** `CN(7,3)` as a part of a file name. */
export const fileName = (game: string): string => game.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
