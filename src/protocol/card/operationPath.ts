/** The end of an address that is the path of one operation over HTTP+JSON, with the operation's own part as the second group. */
export const operationPath = /(\/v1)?\/(message:(?:send|stream)|tasks)$/;
