import { accessChangesContract } from "../kit/access-changes.ts";
import { auditContract } from "../kit/audit-records.ts";
import { settingsContract } from "../kit/settings.ts";
import { systemContract } from "../kit/system.ts";
import * as apiTokens from "./api-tokens.ts";
import * as authorizationConfigs from "./authorization-configs.ts";
import * as credentials from "./credentials.ts";
import * as domains from "./domains.ts";
import * as humanCheck from "./human-check.ts";
import { takeCredentials } from "./imported-credentials.ts";
import * as invitations from "./invitations.ts";
import * as organizations from "./organizations.ts";
import * as ownAccount from "./own-account.ts";
import * as passkeys from "./passkeys.ts";
import * as passwordReset from "./password-reset.ts";
import { receiveEvent } from "./received-events.ts";
import * as registration from "./registration.ts";
import * as secondFactor from "./second-factor.ts";
import * as sessions from "./sessions.ts";
import * as settings from "./settings.ts";
import * as singleSignOn from "./single-sign-on.ts";
import * as tracing from "./tracing.ts";
import * as users from "./users.ts";
import * as vaultConnections from "./vault-connections.ts";

export const securityServiceContract = {
  login: sessions.login,
  completeLogin: secondFactor.completeLogin,
  beginSecondStep: passkeys.beginSecondStep,
  completePasskeyLogin: passkeys.completePasskeyLogin,
  refresh: sessions.refresh,
  refreshForPortal: sessions.refreshForPortal,
  continueAccess: sessions.continueAccess,
  logout: sessions.logout,
  getKeys: sessions.getKeys,
  listAccessChanges: accessChangesContract.listAccessChanges,
  readSettings: settingsContract.readSettings,
  getSettings: settings.getSettings,
  changeSettings: settings.changeSettings,
  listSettingChanges: settings.listSettingChanges,
  undoSettingChange: settings.undoSettingChange,
  listSessions: sessions.listSessions,
  endSession: sessions.endSession,
  getHumanCheck: humanCheck.getHumanCheck,
  admitVisitor: humanCheck.admitVisitor,
  createRegistrationRequest: registration.createRegistrationRequest,
  getRegistration: registration.getRegistration,
  sendRegistrationCode: registration.sendRegistrationCode,
  createAccount: registration.createAccount,
  invite: invitations.invite,
  countInvitations: invitations.countInvitations,
  listInvitations: invitations.listInvitations,
  getInvitation: invitations.getInvitation,
  resendInvitation: invitations.resendInvitation,
  cancelInvitation: invitations.cancelInvitation,
  getInvitationOffer: invitations.getInvitationOffer,
  sendInvitationCode: invitations.sendInvitationCode,
  createAccountByInvitation: invitations.createAccountByInvitation,
  requestPasswordReset: passwordReset.requestPasswordReset,
  completePasswordReset: passwordReset.completePasswordReset,
  getSecondFactor: secondFactor.getSecondFactor,
  beginSecondFactor: secondFactor.beginSecondFactor,
  confirmSecondFactor: secondFactor.confirmSecondFactor,
  renewRecoveryCodes: secondFactor.renewRecoveryCodes,
  removeSecondFactor: secondFactor.removeSecondFactor,
  listPasskeys: passkeys.listPasskeys,
  listUserPasskeys: passkeys.listUserPasskeys,
  beginPasskey: passkeys.beginPasskey,
  addPasskey: passkeys.addPasskey,
  renamePasskey: passkeys.renamePasskey,
  removePasskey: passkeys.removePasskey,
  listApiTokens: apiTokens.listApiTokens,
  createApiToken: apiTokens.createApiToken,
  revokeApiToken: apiTokens.revokeApiToken,
  exchangeApiToken: apiTokens.exchangeApiToken,
  getOwnAccount: ownAccount.getOwnAccount,
  changeOwnAccount: ownAccount.changeOwnAccount,
  changeOwnPassword: ownAccount.changeOwnPassword,
  changeOwnEmail: ownAccount.changeOwnEmail,
  cancelOwnEmail: ownAccount.cancelOwnEmail,
  confirmEmail: ownAccount.confirmEmail,
  listUsers: users.listUsers,
  getUser: users.getUser,
  changeUser: users.changeUser,
  listUserSessions: users.listUserSessions,
  endUserSessions: users.endUserSessions,
  resetSecondFactor: users.resetSecondFactor,
  listUserRoles: users.listUserRoles,
  addUserRoles: users.addUserRoles,
  removeUserRoles: users.removeUserRoles,
  listRoles: users.listRoles,
  listCredentials: credentials.listCredentials,
  listDomainCredentials: credentials.listDomainCredentials,
  takeCredentials,
  createCredential: credentials.createCredential,
  getCredential: credentials.getCredential,
  changeCredential: credentials.changeCredential,
  replaceSecret: credentials.replaceSecret,
  deleteCredential: credentials.deleteCredential,
  openCredentials: credentials.openCredentials,
  listDomains: domains.listDomains,
  createDomain: domains.createDomain,
  getDomain: domains.getDomain,
  changeDomain: domains.changeDomain,
  deleteDomain: domains.deleteDomain,
  checkDomain: domains.checkDomain,
  listAuthorizationConfigs: authorizationConfigs.listAuthorizationConfigs,
  listDomainAuthorizationConfigs: authorizationConfigs.listDomainAuthorizationConfigs,
  createAuthorizationConfig: authorizationConfigs.createAuthorizationConfig,
  getAuthorizationConfig: authorizationConfigs.getAuthorizationConfig,
  changeAuthorizationConfig: authorizationConfigs.changeAuthorizationConfig,
  deleteAuthorizationConfig: authorizationConfigs.deleteAuthorizationConfig,
  findHostRules: authorizationConfigs.findHostRules,
  getOrganization: organizations.getOrganization,
  changeOrganization: organizations.changeOrganization,
  listWaitingWork: systemContract.listWaitingWork,
  listAuditRecords: auditContract.listAuditRecords,
  checkAuditChain: auditContract.checkAuditChain,
  requireSecondFactors: organizations.requireSecondFactors,
  deleteOrganization: organizations.deleteOrganization,
  getVaultConnection: vaultConnections.getVaultConnection,
  setVaultConnection: vaultConnections.setVaultConnection,
  deleteVaultConnection: vaultConnections.deleteVaultConnection,
  readVaultSecret: vaultConnections.readVaultSecret,
  getTracing: tracing.getTracing,
  setTracing: tracing.setTracing,
  getSingleSignOn: singleSignOn.getSingleSignOn,
  setSingleSignOn: singleSignOn.setSingleSignOn,
  deleteSingleSignOn: singleSignOn.deleteSingleSignOn,
  startSingleSignOn: singleSignOn.startSingleSignOn,
  finishSingleSignOn: singleSignOn.finishSingleSignOn,
  confirmSingleSignOn: singleSignOn.confirmSingleSignOn,
  trySingleSignOn: singleSignOn.trySingleSignOn,
  receiveEvent,
  findOrganizations: organizations.findOrganizations,
};
