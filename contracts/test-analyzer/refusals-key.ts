/** Key of the invalid requests that accompany a circle of a plan. */
export const toRefusalsKey = (key: string) => `refusals ${key}`;
