/** Most rows of one page, whatever is asked for; one more row tells whether there is another page. */
const maxPageSize = 201;

export const pageLimit = (limit: number | undefined): number => Math.min(Math.max(Math.trunc(limit ?? 50), 1), maxPageSize);
