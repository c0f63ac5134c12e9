import { triedOperations } from "./tried-operations.ts";

/** Why operations are not tried: the payload itself names the owner, or they have no owner. */
export const notTried: Record<string, string> = {
  ...Object.fromEntries(
    ["api-registry", "test-registry", "test-analyzer"].flatMap((service) => [
      [
        `${service} changeCodeObjects`,
        "Ids of new objects are drawn by the caller; its own test has two organizations",
      ],
      [`${service} undoCodeChanges`, "An operation of which it has nothing is undone already"],
      [`${service} forgetCodeChanges`, "An operation of which it has nothing is forgotten already"],
      [`${service} findManagedObject`, "Each has kinds of its own; getManagedObject calls it"],
    ]),
  ),
  ...Object.fromEntries(
    Object.keys(triedOperations).map((service) => [`${service} receiveEvent`, "An event says whose it is"]),
  ),
  "api-registry undoImport": "An import of which it has nothing is undone already; its own test has two organizations",
  "api-registry forgetImport": "An import of which it has nothing is forgotten already",
  "security-service listAccessChanges": "It tells every process who was signed out",
  "security-service readSettings": "They are the installation's",
  "security-service getOrganization": "It names any organization for services",
  "security-service findOrganizations": "It names any organization for the operator's lists",
  "security-service admitVisitor": "It is about visitors",
  "security-service startSingleSignOn": "An address says whose provider it leads to",
  "security-service finishSingleSignOn": "The provider says who comes back from it",
  "security-service confirmSingleSignOn": "The portal asks for the session of whoever is signed in",
  "security-service trySingleSignOn": "The portal asks for the organization of whoever is signed in",
  "security-service exchangeApiToken": "Whoever has the token is its owner",
  "security-service refreshForPortal": "Whoever has the token is its owner",
  "security-service continueAccess": "Whoever has the token is its owner",
  "portal-service announcePaymentApproval": "A service reminds a user of its own caller's",
  "portal-service keepForm": "The portal keeps the form of whoever is signed in",
  "portal-service getKeptForm": "The portal asks for a form of whoever has signed in",
  "portal-service listSandboxMail": "The mailbox is the installation's",
  "portal-service getSandboxLetter": "The mailbox is the installation's",
  "test-executioner takeAgentWork": "An agent's key says whose it is: tried beside its handler",
  "test-executioner reportAgentResults": "An agent's key says whose it is: tried beside its handler",
  "test-executioner renewAgentLeases": "An agent's key says whose it is: tried beside its handler",
  "test-executioner takeAgentPlan": "An agent's key says whose it is: tried beside its handler",
  "test-executioner reportAgentOccurrences": "An agent's key says whose it is: tried beside its handler",
  "test-executioner recordOccurrences": "It records what the scheduler has found, with whose it is",
  "test-executioner fenceSchedules": "It takes versions of schedules, and answers nothing",
  "test-analyzer judgeExecutions": "It judges what it is sent",
  "test-analyzer readPublishedStatus": "It is published",
  "test-analyzer removeStatusSubscriber": "Whoever subscribes confirms by email first: tried beside its handler",
};
