/** Removes the byte order mark that some editors write in UTF-8. */
export const withoutMark = (text: string): string => text.replace(/^\ufeff/, '');
