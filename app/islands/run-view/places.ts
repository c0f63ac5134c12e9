/** Where the run stands on its page, and where its end is read out. */
export const runPlace = "run";
export const endedPlace = "run-ended";
