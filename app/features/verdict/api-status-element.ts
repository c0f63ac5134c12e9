/** The status in an API's header, which a page replaces when what it follows has ended. */
export const apiStatusElementId = "api-status";
