/** Query parameter of a rule's page: the channel that was created for it. */
export const madeChannel = "made";
