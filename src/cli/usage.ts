export const usage = `Usage:
  a2a card URL
  a2a send URL [TEXT] [--stream | --no-wait] [--task ID] [--context ID] [--file FILE]…
  a2a task get URL ID
  a2a task list URL [--context ID] [--status STATE]
  a2a task cancel URL ID
  a2a task subscribe URL ID

  URL    address of the agent or of its card; host:port will do
  TEXT   the message; read from standard input when left out

Options:
  --stream                 print what the agent says as it comes; one that does not stream is asked until it is done
  --no-wait                print the agent's first answer and leave it at work
  --json                   print one A2A 1.0 object a line
  --raw                    print what the agent answered as it was on the wire
  --header 'NAME: VALUE'   send a header with every request (repeatable)
  --protocol-version V     speak this version of the card's, such as 0.3
  --allow-origin ORIGIN    also send requests and headers to this origin, if the card says so (repeatable)

Exit status: 0 all is well; 1 the task failed; 2 this command was not understood; 3 the agent could not be reached or answered an error.
`;

/** Exit status, see the usage. */
export const status = { fine: 0, taskFailed: 1, usage: 2, agent: 3, interrupted: 130 } as const;

/** The command line was not understood; the message says why. */
export class UsageError extends Error {}
