/** The form that the list's checkboxes belong to, wherever they are on the page. */
export const selectedForm = "selected-tests";
