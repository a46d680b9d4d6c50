/** The text without the mark that some editors put before UTF-8. */
export const withoutMark = (text: string): string => text.replace(/^\ufeff/, '');
