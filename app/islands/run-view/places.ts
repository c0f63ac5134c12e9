/** Elements of the page that display a run, and that announce its end. */
export const runPlace = "run";
export const endedPlace = "run-ended";
