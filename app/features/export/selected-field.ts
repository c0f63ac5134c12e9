/** Name of the checkboxes of tests in a list. */
export const selectedField = "selected";
