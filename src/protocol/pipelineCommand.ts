const service = '(?:vso|teamcity)?';

/** The beginning of a command of Azure Pipelines (`##vso[`, `##[`) or TeamCity (`##teamcity[`), which they read anywhere in a line. */
export const pipelineCommand = new RegExp(`##(?=${service}\\[)`, 'gi');

/** Its last character, where what stands before it is written already. */
export const pipelineCommandEnd = new RegExp(`(?<=##${service})\\[`, 'gi');
