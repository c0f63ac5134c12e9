/** Elements of the page that display a run, and that announce its end. */
export const runElementId = "run";
export const endedElementId = "run-ended";
