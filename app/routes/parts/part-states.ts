import type { ReactNode } from "react";

/**
 * States of parts, by the part's folder in `app/ui` and the state's name. @param id makes a name
 * unique on the page, which renders every state twice
 */
export type PartStates = (id: (name: string) => string) => Record<string, Record<string, ReactNode>>;
