/** Of agents and their calls. Separate from the schemas: an agent has none of them. */

/** Audience of assertions that agents sign. */
export const agentAudience = "api-assurance-portal";
/** Type of these assertions, a JWT. */
export const assertionType = "agent+jwt";
export const maxAssertionSeconds = 300;
/** An agent waits for work for as long in one call. */
export const maxWaitSeconds = 25;
/** In one call: executions to run, results, leases. */
export const maxWorkItems = 64;
export const maxResults = 200;
export const maxResultBytes = 16 * 1_048_576;
/** An agent's claim ends if it is not renewed for so long. */
export const agentLeaseSeconds = 60;
/** Sealed secrets are of use for so long. */
export const sealedSeconds = 3_600;
/** Those for occurrences that an agent starts while the portal is away: an hour after they are handed out again. */
export const plannedSeconds = 4_200;
/** In one plan: schedules, and members of all their circles. */
export const maxPlannedSchedules = 500;
export const maxPlannedMembers = 2_000;
/** In one call: occurrences that an agent ran, and executions of each. */
export const maxReportedOccurrences = 20;

/** Variables that an agent generates for a run: how many, and of each value. */
export const maxGenerated = { variables: 200, characters: 10_000 } as const;
