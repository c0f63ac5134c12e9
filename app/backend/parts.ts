/** The services in the users' words. */
export const partsByService: Record<string, string> = {
  "security-service": "Accounts and credentials",
  "portal-service": "Plans and messages",
  "api-registry": "APIs",
  "test-registry": "Tests",
  "test-executioner": "Test results",
  "test-analyzer": "Verifications and trends",
};

/** Which parts of the portal are unavailable: "Tests and test results are not available right now". */
export function whatIsAway(services: (string | undefined)[]): string {
  const named = services.map((service) => partsByService[service ?? ""]);
  if (named.length === 0 || named.includes(undefined)) return "Part of the portal is unavailable";
  // Parts that contain an "and" are joined one by one, so that the list has a single "and".
  const [first, ...others] = [...new Set((named as string[]).flatMap((part) => part.split(" and ")))];
  const list = [first, ...others.map((part) => (part === "APIs" ? part : part.toLowerCase()))];
  return `${new Intl.ListFormat("en").format(list as string[])} are not available right now`;
}
