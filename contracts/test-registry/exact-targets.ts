import type { ExactNumbers } from "../kit/endpoint.ts";

/** Targets and actual values keep the numbers that their writer wrote. */
export const exactTargets: ExactNumbers = { beside: "comparison", members: ["target", "actual"] };
