/** Type of the panels with the conformance of an agent. */
export const conformanceType = 'a2a.conformance';
