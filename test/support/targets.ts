/** What a count has to come to for a target to be reached. */
export type Wanted = { readonly atLeast: number } | { readonly atMost: number };

/** Tests of one file that make a target's figures. */
export interface TargetTests {
  /** From the root of the project. */
  readonly file: string;
  /** Of these titles alone. */
  readonly grep?: string;
}

/** One thing that has to hold under attack or bad luck, with its figures. */
export interface Target {
  readonly title: string;
  /** What is aimed at, for people. */
  readonly aim: string;
  /** The same for `npm run stress`: the counts that the tests hand in with `figure`, by their names. */
  readonly wants: Readonly<Record<string, Wanted>>;
  readonly tests: readonly TargetTests[];
  /** Decoys (planted faults) that the same tests must detect; a test reports it with `caught`. */
  readonly decoys: readonly string[];
  /** Why there are no tests. */
  readonly open?: string;
  /** How long the tests may take, in minutes; 60 where nothing is said. */
  readonly minutes?: number;
}

const none: Wanted = { atMost: 0 };

/**
 * The targets by their names. `npm run stress` measures them and writes docs/reliability.md.
 *
 * To add one: a row here. Its tests read `full`, hand in what they counted with `figure` and say with `caught` that they fail with a
 * planted flaw (`figure.ts`); `npm run stress` counts what is missing as a miss.
 */
export const targets = {
  F1: {
    title: 'Server-sent events',
    aim: 'Every rule of the standard, however the bytes are cut: at least 10,000 readings, none of them wrong; 100,000 streams made at random read as eventsource-parser reads them in one piece.',
    wants: { readings: { atLeast: 10_000 }, wrong: none, 'streams at random': { atLeast: 100_000 }, differing: none },
    tests: [{ file: 'test/unit/client/sseReadings.test.ts' }],
    decoys: ['a reader that splits at blank lines'],
  },
  F2: {
    title: 'Large events in small pieces',
    aim: 'An event of 4 MiB in pieces of 16 bytes takes at most 250 ms, with no pause over 50 ms.',
    wants: { 'ms of a processor': { atMost: 250 }, 'ms of the longest step': { atMost: 50 } },
    tests: [{ file: 'test/component/client/largeEvents.test.ts' }],
    decoys: ['a reader that joins all it has with every piece'],
  },
  F3: {
    title: 'Streams that are spoilt on their way',
    aim: 'At least 2,700 faults of 36 kinds and 2,000 mixtures of faults: nothing lost, nothing twice, no message sent a second time.',
    wants: {
      'spoilt streams': { atLeast: 2_700 },
      kinds: { atLeast: 36 },
      mixtures: { atLeast: 2_000 },
      'lost, doubled or wrong': none,
      'sent twice': none,
      'unhandled errors': none,
    },
    tests: [{ file: 'test/process/recovery.test.ts' }, { file: 'test/process/recoveryFlaws.test.ts' }],
    decoys: [
      'a client that sends the message again',
      'a client that appends a snapshot',
      'a client that takes the end of a stream for the end of its task',
    ],
    minutes: 90,
  },
  F4: {
    title: 'Hostile text in the chat',
    aim: 'At least 107,000 renderings of attacks, with the policy of the page and without it: nothing runs, loads or leads away.',
    wants: { renderings: { atLeast: 107_000 }, 'links followed': { atLeast: 1_000 }, 'got through': none },
    tests: [{ file: 'test/ui/panel/hostile.test.ts' }],
    decoys: ['a build without the sanitiser'],
    minutes: 120,
  },
  F5: {
    title: 'Hostile text in the webview of a real VS Code',
    aim: '500 attacks from all classes: no script, request, command or forged key.',
    wants: {
      attacks: { atLeast: 500 },
      scripts: none,
      requests: none,
      'forged keys': none,
      'VS Code commands': none,
      'elements of others': none,
    },
    tests: [{ file: 'test/ui/hostileWorkbench.test.ts', grep: 'attacks' }],
    decoys: ['a build in which HTML is HTML', 'a page that runs a script and forges a key'],
    minutes: 120,
  },
  F6: {
    title: 'Credentials',
    aim: 'At least 500 attacks on planted secrets: none at a wrong origin, shown, in the bytes of the history or in an export. What a terminal prints is F30.',
    wants: { cases: { atLeast: 500 }, leaks: none },
    tests: [
      { file: 'test/component/client/credentialCanaries.test.ts' },
      { file: 'test/component/auth/signInCanaries.test.ts' },
      { file: 'test/process/signInFlaws.test.ts' },
      { file: 'test/ui/panel/drawnSecrets.test.ts' },
    ],
    decoys: [
      'a client that follows redirects with its headers',
      'a client that follows redirects to other origins',
      'a wire log with the headers as they are',
      'a history that keeps the tokens that agents quote',
      'a crash that tells what it was about',
    ],
  },
  F7: {
    title: 'Hostile workspaces',
    aim: 'At least 60 folders whose files are links, pipes, devices and the like, in a terminal: nothing outside is read, nothing is waited for and nothing sent. In VS Code, trusted and not, suites of their own show it (integration/requestsOfAgents, component/workbench/maliciousWorkspace, ui/workspaces).',
    wants: { cases: { atLeast: 60 }, 'connected or read': none },
    tests: [{ file: 'test/process/hostileFolders.test.ts' }, { file: 'test/process/workspaceFlaws.test.ts' }],
    decoys: [
      'a reader that follows links',
      'a window that takes settings of a workspace before it is trusted',
      'a window that sends requests before it is trusted',
      'agents of a workspace that count as those of the user',
      'secrets that may go anywhere first',
      'sign-ins that go along whoever decides about certificates',
      'sign-ins of any address',
      'cards that may lead anywhere',
    ],
  },
  F8: {
    title: 'File names',
    aim: 'At least 22,000 names, by the rules of POSIX and Windows: none leads outside, is a device or hides what it is. Files are written where a save dialog says alone.',
    wants: { names: { atLeast: 22_000 }, outside: none, unfit: none },
    tests: [{ file: 'test/component/model/fileNames.test.ts' }],
    decoys: ['names that are joined to the folder as they are'],
  },
  F9: {
    title: 'JSON',
    aim: "Every parsing case at every entrance, and a million spoilt messages of each generation's form: no crash, no hang, no changed prototype.",
    wants: {
      'parsing cases': { atLeast: 318 },
      entrances: { atLeast: 4 },
      'read wrongly': none,
      'changed prototypes': none,
      'spoilt messages': { atLeast: 9_000_000 },
      'forms with a crash or a hang': none,
    },
    tests: [{ file: 'test/component/client/jsonCases.test.ts' }, { file: 'test/process/fuzz.test.ts' }],
    decoys: ['a reader that merges what it reads', 'a reader that forgives'],
    minutes: 150,
  },
  F10: {
    title: 'Markdown',
    aim: 'Pathological and 100,000 random texts, drawn and not parsed alone: each within 500 ms, in proportion to its length.',
    wants: { shapes: { atLeast: 29 }, 'texts at random': { atLeast: 100_000 }, 'over 500 ms': none, 'out of proportion': none },
    tests: [{ file: 'test/ui/panel/markdownDrawing.test.ts' }],
    decoys: ['a build that parses whatever comes'],
  },
  F11: {
    title: 'Search',
    aim: 'At least 100,000 texts as a search: none is an error, and what is found is what an oracle finds.',
    wants: { searches: { atLeast: 100_000 }, threw: none, wrong: none },
    tests: [{ file: 'test/component/store/searchOracle.test.ts' }],
    decoys: ['a search that hands the text to SQLite as it is'],
  },
  F12: {
    title: 'Kill -9 of those who write the history',
    aim: 'At least 10,000 kills: nothing that was committed is lost.',
    wants: { kills: { atLeast: 10_000 }, 'commits lost': none, 'faults of the file': none },
    tests: [{ file: 'test/process/crash.test.ts' }],
    decoys: ['a writer that tells before it commits'],
    minutes: 90,
  },
  F13: {
    title: 'Power cuts',
    aim: 'At least 5,000 states of the disk after a cut: each opens, with intents and ends of tasks.',
    wants: { states: { atLeast: 5_000 }, 'opened wrongly': none },
    tests: [{ file: 'test/component/store/powerCuts.test.ts' }],
    decoys: ['a commit that is told before the disk has it'],
  },
  F14: {
    title: 'Misfortunes of the history',
    aim: 'At least 5,000 damages and every misfortune of disk, clock and windows: no crash, the original kept, 95 % of what can be read saved.',
    wants: {
      damages: { atLeast: 5_000 },
      crashes: none,
      'originals lost': none,
      'percent saved': { atLeast: 95 },
      'windows that stood still': { atLeast: 5 },
      'of them wrong': none,
    },
    tests: [{ file: 'test/component/store/misfortunes.test.ts' }, { file: 'test/process/stoppedWindow.test.ts' }],
    decoys: ['a history that is begun anew without what could be read'],
    minutes: 240,
  },
  F15: {
    title: 'Many windows',
    aim: '8 processes with 10,000 transactions each, as fast as they can: no error, no row lost or twice, 99 of 100 within 100 ms.',
    wants: {
      processes: { atLeast: 8 },
      transactions: { atLeast: 80_000 },
      errors: none,
      lost: none,
      doubled: none,
      undone: none,
      'p99 in ms': { atMost: 100 },
    },
    tests: [{ file: 'test/process/manyWindows.test.ts' }],
    decoys: ['transactions that begin without the lock'],
  },
  F16: {
    title: 'Reloads in the middle of a stream',
    aim: '20 reloads of a real VS Code at random moments: the chat is back with what the agent has, and no task is cancelled.',
    wants: { reloads: { atLeast: 20 }, 'while the task ran': { atLeast: 15 }, 'not as the agent has it': none },
    tests: [{ file: 'test/ui/history/windows.test.ts', grep: 'after a reload' }],
    decoys: ['a chunk that is missing in the panel or in the history'],
    minutes: 120,
  },
  F17: {
    title: 'A very long task',
    aim: '1,000,000 events in one task within 200 MiB more memory.',
    wants: { events: { atLeast: 1_000_000 }, 'MiB more memory': { atMost: 200 } },
    tests: [{ file: 'test/component/model/longTask.test.ts' }],
    decoys: ['a process that keeps every event'],
  },
  F18: {
    title: 'Bombs',
    aim: 'Compressed, endless, deep and wide answers: within 64 MiB more memory, stopped within a second, with the bound named.',
    wants: { bombs: { atLeast: 7 }, 'MiB more memory': { atMost: 64 } },
    tests: [{ file: 'test/component/client/bombs.test.ts' }],
    decoys: ['a reader without a bound'],
  },
  F19: {
    title: 'Receiver of push notifications',
    aim: 'At least 10,000 forged deliveries are refused and 1,000 replays applied once; 500 slow senders are cut, and right deliveries come through.',
    wants: {
      forged: { atLeast: 10_000 },
      accepted: none,
      'right ones refused': none,
      replays: { atLeast: 1_000 },
      'applied twice': none,
      'slow senders': { atLeast: 500 },
      'slow senders left': none,
    },
    tests: [{ file: 'test/component/receiver/forgedDeliveries.test.ts' }, { file: 'test/process/receiverFlaws.test.ts' }],
    decoys: [
      'a receiver that does not check the token',
      'a receiver that applies replays',
      'a receiver that takes any host',
      'a receiver that waits for ever',
    ],
  },
  F20: {
    title: 'Signatures of cards',
    aim: 'At least 800 tampered cards and 400 forged signatures are told, right cards are valid, and no address that a card names is asked.',
    wants: {
      'tampered cards': { atLeast: 800 },
      'tampered cards taken': none,
      'right cards refused': none,
      'forged signatures': { atLeast: 400 },
      'forged signatures taken': none,
      'addresses in cards': { atLeast: 40 },
      'connections to them': none,
    },
    tests: [{ file: 'test/component/client/card/tamperedCards.test.ts' }, { file: 'test/process/signatureFlaws.test.ts' }],
    decoys: [
      'a verifier that takes every signature of a known key',
      'a verifier that takes a part for the whole',
      'a verifier that asks the address in a card',
    ],
  },
  F21: {
    title: 'Control and bidi characters',
    aim: 'Every place that shows text, every sequence: no raw control character.',
    wants: { 'sequences shown': { atLeast: 1_000 }, 'raw characters': none },
    tests: [{ file: 'test/component/workbench/controlSequences.test.ts' }, { file: 'test/component/cli/terminalCharacters.test.ts' }],
    decoys: ['text that is shown as it came'],
  },
  F22: {
    title: 'Mutants',
    aim: 'At least 85 % of the mutants of modules for security and recovery are killed by their tests.',
    wants: { mutants: { atLeast: 200 }, 'percent killed': { atLeast: 85 } },
    tests: [{ file: 'test/process/mutants.test.ts' }],
    decoys: ['tests that look at something else'],
    minutes: 120,
  },
  F23: {
    title: 'What is shipped',
    aim: 'Each package that the extension is made of has a reason, an exact version, a known licence and no install script; the extension is the same byte for byte when it is made again.',
    wants: {
      'packages without a reason': none,
      'inexact versions': none,
      'install scripts': none,
      'unknown licences': none,
      'packages that differ': none,
    },
    tests: [{ file: 'test/unit/docs/dependencies.test.ts' }, { file: 'test/ui/vsix.test.ts', grep: 'byte for byte' }],
    decoys: ['a package without a reason', 'a package whose files have other times'],
  },
  F24: {
    title: 'Checks of rules',
    aim: 'At least 100,000 spoilt answers through all passive checks: none throws, and none takes for ever.',
    wants: { 'spoilt answers': { atLeast: 100_000 }, 'checks that threw': none },
    tests: [{ file: 'test/component/conformance/passiveFuzz.test.ts' }],
    decoys: ['a check that trusts what it gets'],
  },
  F25: {
    title: 'Agents that break a rule',
    aim: 'At least 280 agents that break one rule, in each version and binding: the suite finds that rule broken, and no other.',
    wants: { agents: { atLeast: 280 }, 'found otherwise': none },
    tests: [{ file: 'test/component/conformance/probeDecoys.test.ts' }],
    decoys: ['an agent that breaks nothing'],
  },
  F26: {
    title: 'Floods',
    aim: 'Messages and cards as large as they may be, and larger: nothing else in the process waits longer for one than for three times the parsing of 200,000 members of JSON, or 100 ms.',
    wants: { floods: { atLeast: 23 }, 'kept others waiting': none },
    tests: [{ file: 'test/component/client/stalls.test.ts' }, { file: 'test/component/model/besideHostile.test.ts' }],
    decoys: ['a reader of whole messages'],
  },
  F27: {
    title: 'Memory for one large message',
    aim: 'Of four kinds of large messages, each on its way from the wire into the history: at most six times its length is held at once, or 32 MiB.',
    wants: { messages: { atLeast: 4 }, 'held more': none },
    tests: [{ file: 'test/component/model/messageMemory.test.ts' }],
    decoys: ['a program that holds seven copies'],
  },
  F28: {
    title: 'Servers of others',
    aim: 'Every generation over every binding with every server of the README: each cell of its matrix is so.',
    wants: { rows: { atLeast: 17 }, cells: { atLeast: 153 }, 'cells that are not so': none },
    tests: [{ file: 'test/process/matrix.test.ts' }],
    decoys: ['a server that answers a message with a task'],
  },
  F29: {
    title: 'A history that another program holds',
    aim: 'For 10 s, in the middle of a stream: no event loop stands still for 50 ms, nothing is lost, and nothing is told before it is written.',
    wants: { 'ms of the longest pause': { atMost: 50 } },
    tests: [{ file: 'test/process/heldHistory.test.ts' }],
    decoys: ['a window that waits on the spot'],
  },
  F30: {
    title: 'Secrets in a terminal',
    aim: 'At least 500 outputs of commands whose agents quote every secret of every way to sign in: none is printed. Headers, secrets of files and private values have a suite of their own (runSecrets).',
    wants: { outputs: { atLeast: 500 }, 'with a secret': none },
    tests: [{ file: 'test/process/signInCanaries.test.ts' }],
    decoys: ['a client and a terminal that mask nothing'],
  },
  F31: {
    title: 'Texts and values of any form',
    aim: 'Every beginning, end and gap of request files and cards, 1,500 random values in each protocol version and 5,000 texts of nested Markdown: nothing throws, every range is in its text, what comes back is what went, and all is drawn.',
    wants: {
      texts: { atLeast: 3_500 },
      'round trips': { atLeast: 150_000 },
      'nested texts': { atLeast: 5_000 },
    },
    tests: [
      { file: 'test/unit/protocol/roundTrip.test.ts' },
      { file: 'test/unit/client/grpcRoundTrip.test.ts' },
      { file: 'test/unit/chat/blockText.test.ts' },
      { file: 'test/unit/request/requestFile.test.ts', grep: 'any text' },
      { file: 'test/unit/request/language.test.ts', grep: 'half-typed' },
      { file: 'test/unit/card/cardChecks.test.ts' },
      { file: 'test/ui/panel/hostileNesting.test.ts' },
    ],
    decoys: ['a protocol version that does not own up to what it cannot say', 'a build that nests as deeply as it is told'],
  },
  F32: {
    title: 'Bounds copy',
    aim: 'What is kept of a text that was cut holds nothing of it, and of an answer that was refused for its size nothing is kept: a check of an agent whose every answer is 33 MiB, over four interfaces, stays under 500 MiB.',
    wants: {
      cuts: { atLeast: 12 },
      'MiB kept': { atMost: 4 },
      'large answers': { atLeast: 100 },
      'MiB of a check': { atMost: 500 },
    },
    tests: [{ file: 'test/unit/client/keptTexts.test.ts' }, { file: 'test/process/largeAnswers.test.ts' }],
    decoys: ['a cut that keeps what it was cut from', 'a check that keeps every answer'],
  },
  F33: {
    title: 'Any request at servers of ours',
    aim: 'Bodies of every size with and without a length, half-closed, slow, reset and spoilt in other ways, at the receiver, the redirect page, mocks and sample agents: an error ends its exchange alone.',
    wants: { servers: { atLeast: 6 }, exchanges: { atLeast: 100 }, 'not survived': none },
    tests: [{ file: 'test/component/anyRequest.test.ts' }],
    decoys: ['a server that closes the connection of what it refuses'],
  },
  F34: {
    title: 'Copies as cURL and code',
    aim: 'What agents, rows, files and environments say stays data in copies as cURL, JavaScript, Python and for k6: what arrives is what was there.',
    wants: { copies: { atLeast: 128 }, 'other data': none },
    tests: [{ file: 'test/process/copiedData.test.ts' }],
    decoys: ['a copy whose variables are marked in its text'],
  },
  F35: {
    title: 'Texts of agents in request files',
    aim: 'At least 450 texts that would be templates in ids, names, media types, addresses, completions and pasted requests: each is sent as it was, and no variable is asked for.',
    wants: { texts: { atLeast: 450 }, 'filled in or changed': none },
    tests: [{ file: 'test/unit/request/agentTexts.test.ts' }],
    decoys: ['a task id that is written as it is', 'braces that are looked for in the source of a body'],
  },
  F36: {
    title: 'Files that are written',
    aim: 'At least 30 links, names and pipes in the place of what a command writes: no file is written through a link or outside of the folder that was named, and a killed run leaves no half report.',
    wants: { cases: { atLeast: 30 }, 'written elsewhere': none },
    tests: [{ file: 'test/process/writtenFiles.test.ts' }],
    decoys: ['an output folder that follows links', 'a report that is written in its place'],
  },
  F37: {
    title: 'Products are counted first',
    aim: 'Matrix, rows, repeats, lines of an import and values of JSON are counted before they are made: no more than 1,000 targets, lines of 32 MiB (exported tasks: 256 MiB) and 4,000,000 values, and what is more is refused with its count.',
    wants: { products: { atLeast: 14 }, 'made before they were counted': none },
    tests: [{ file: 'test/unit/request/countedProducts.test.ts' }, { file: 'test/component/store/countedImport.test.ts' }],
    decoys: ['a matrix that is made before it is counted', 'a line that is parsed before it is counted'],
  },
  F38: {
    title: 'Locks',
    aim: 'No lock is held over the network: beside a token endpoint that does not answer, other agents and identities get their tokens.',
    wants: { 'renewals beside a held one': { atLeast: 4 }, 'held up': none },
    tests: [{ file: 'test/component/auth/heldRenewals.test.ts' }],
    decoys: ['one lock over the network'],
  },
  F39: {
    title: 'Texts in CI',
    aim: 'Commands to CI services in what agents wrote are harmless, however they are split.',
    wants: { readings: { atLeast: 170 }, outputs: { atLeast: 60 }, 'commands left': none },
    tests: [{ file: 'test/unit/cli/pipelineGuard.test.ts' }, { file: 'test/process/pipelineCommands.test.ts' }],
    decoys: ['a guard that looks at each piece by itself', 'a program that prints what agents wrote'],
  },
  F40: {
    title: 'Damaged histories',
    aim: '200 seeded damages of a history of 20,000 tasks (pages of indexes, random blocks, the header, a truncated file): every task whose own pages are whole is recovered, and what is not is counted once.',
    wants: { damages: { atLeast: 200 }, missing: none, miscounted: none },
    tests: [{ file: 'test/component/store/salvageDamages.test.ts' }],
    decoys: ['tasks that are looked up through spoilt indexes'],
    minutes: 120,
  },
} as const satisfies Record<string, Target>;

export type TargetName = keyof typeof targets;
