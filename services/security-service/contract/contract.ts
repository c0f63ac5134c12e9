import * as credentials from "./credentials.ts";
import * as organizations from "./organizations.ts";
import * as sessions from "./sessions.ts";

export const securityServiceContract = {
  login: sessions.login,
  refresh: sessions.refresh,
  logout: sessions.logout,
  getKeys: sessions.getKeys,
  listSessions: sessions.listSessions,
  endSession: sessions.endSession,
  listCredentials: credentials.listCredentials,
  listDomainCredentials: credentials.listDomainCredentials,
  createCredential: credentials.createCredential,
  getCredential: credentials.getCredential,
  changeCredential: credentials.changeCredential,
  deleteCredential: credentials.deleteCredential,
  openCredentials: credentials.openCredentials,
  getOrganization: organizations.getOrganization,
};
