/** The services that send mail; each stores its queued emails in its own schema. */
export const sendingServices = ["security-service", "portal-service", "test-analyzer"];
