/** The form that the list's ticks belong to, wherever in the page they stand, and their name in it. */
export const selectedForm = "selected-tests";
export const selectedField = "selected";
