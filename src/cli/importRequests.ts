import { inTerminal } from '../protocol/problem.ts';
import { imported } from '../request/import/paste.ts';
import { requestFileText } from '../request/import/requestJson.ts';
import { readNamedText } from '../request/values/sandboxedFiles.ts';
import { notRead, readStandardInput, standardInput } from './run/runFiles.ts';
import { escapedCode } from './terminal/output.ts';
import type { Terminal } from './terminal/terminal.ts';
import { exitStatus, UsageError } from './terminal/usage.ts';

/** Writes a request file to standard output for a cURL command, a JSON-RPC body or an HTTP Archive. @throws UsageError, FileError */
export async function importRequests({ host, output }: Terminal, [path = standardInput]: readonly string[]): Promise<number> {
  if (path === standardInput && host.stdin.isTTY) throw new UsageError('import needs a file, or a request on standard input.');
  try {
    const { requests, remarks } = imported(
      await (path === standardInput ? readStandardInput(host.stdin) : readNamedText(path, host.cwd())),
    );
    host.stdout.write(escapedCode(requestFileText(requests)));
    for (const remark of remarks) output.printError(inTerminal(remark));
    return exitStatus.fine;
  } catch (error) {
    return notRead(error);
  }
}
