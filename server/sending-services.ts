/** Those that send mail; each keeps its letters that wait in a schema of its own. */
export const sendingServices = ["security-service", "portal-service", "test-analyzer"];
