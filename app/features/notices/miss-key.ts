/** In place of the key of one missed change: every one of them. */
export const allMisses = "all";
