export const usage = `Usage:
  a2a card URL
  a2a send URL [TEXT] [--stream | --no-wait] [--task ID] [--context ID] [--file FILE]…
  a2a task get URL ID
  a2a task list URL [--context ID] [--status STATE]
  a2a task cancel URL ID
  a2a task subscribe URL ID
  a2a run FILE… [--env NAME] [--name NAME]… [--reporter spec|junit|json] [--bail] [--parallel N]

  URL    address of the agent or of its card; host:port will do
  TEXT   the message; read from standard input when left out
  FILE   a request file (.a2a), a folder of them, or a glob in quotes

Options:
  --stream                 print what the agent says as it comes; one that does not stream is asked until it is done
  --no-wait                print the agent's first answer and leave it at work
  --json                   print one A2A 1.0 object a line
  --raw                    print what the agent answered as it was on the wire (gRPC: as JSON)
  --header 'NAME: VALUE'   send a header with every request (repeatable)
  --interface 'WHICH'      speak this interface of the card's: a binding, a version, an address, or several of them, such as 'GRPC 1.0'
  --protocol-version V     the same with the version alone, such as 0.3
  --extension URI          ask for a protocol extension (repeatable)
  --allow-origin ORIGIN    also send requests and headers to this origin, if the card says so (repeatable)

Options of run:
  --env NAME               take the variables of this environment (a2a.env.json, a2a.private.env.json)
  --name NAME              send only requests of this name, and what they need; * stands for any letters (repeatable)
  --reporter NAME          spec for people, junit for CI, json for programs; to standard output
  --bail                   send nothing more once something failed
  --parallel N             send so many requests at a time; those that need others wait for them
  --var NAME=TEXT          set a variable; NAME:=JSON for other values than text (repeatable)
  --agent NAME=URL         say where an agent is that files name; else .vscode/settings.json does (repeatable)
  --yes                    send what asks for confirmation
  Secrets come from the environment: {{$secret api-key}} is A2A_SECRET_API_KEY.

Exit status: 0 all is well; 1 the task or an expectation failed; 2 this command or a request file was not understood;
3 the agent could not be reached or answered an error.
`;

/** Exit status, see the usage. */
export const status = { fine: 0, taskFailed: 1, usage: 2, agent: 3, interrupted: 130 } as const;

/** The command line was not understood; the message says why. */
export class UsageError extends Error {}

/** The command line was understood, but a file that it names was not; the message says why. */
export class FileError extends Error {}
