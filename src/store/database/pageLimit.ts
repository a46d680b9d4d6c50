/** Most rows of one page; one more row shows whether there is another page. */
const maxPageSize = 201;

export const pageLimit = (limit: number | undefined): number => Math.min(Math.max(Math.trunc(limit ?? 50), 1), maxPageSize);
