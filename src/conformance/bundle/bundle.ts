/** The conformance checks as the editor uses them, loaded with the first one. */
export { compareChecks, comparisonSentence } from '../checkComparison.ts';
export { familyOf, interfaceTitle, isUndecided } from '../checkReport.ts';
export { brokenMusts, matrixOf, summaryOf, unanswered } from '../checkSummary.ts';
export { checkTurns } from '../checkTurns.ts';
export { checkedAgent } from '../checkedAgent.ts';
export { checkBadge } from '../reports/checkBadge.ts';
export { evidenceFor, headerLine } from '../reports/checkEvidence.ts';
export { checkRemarks, endRemark, familyWords, placeWords, verdictWords } from '../reports/checkWords.ts';
export { htmlReport } from '../reports/html.ts';
export { checkLinesText } from '../reports/jsonLines.ts';
export { junitReport } from '../reports/junit.ts';
export { markdownReport } from '../reports/markdown.ts';
export { resumeColumns, resumeSections } from '../reports/resumeWords.ts';
export { badVerdicts, verdictOrder } from '../rules/rule/verdict.ts';
