/** Most rows of one page, whatever is asked; one more tells whether there is another page. */
const longestPage = 201;

export const pageLimit = (limit: number | undefined): number => Math.min(Math.max(Math.trunc(limit ?? 50), 1), longestPage);
