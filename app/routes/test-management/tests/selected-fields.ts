/** The form that the list's checkboxes belong to, wherever they are on the page, and their name in it. */
export const selectedForm = "selected-tests";
export const selectedField = "selected";
