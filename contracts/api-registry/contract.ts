import { codePartContract } from "../code/parts.ts";
import { auditContract } from "../kit/audit-records.ts";
import * as apis from "./apis.ts";
import * as authentication from "./authentication.ts";
import { listBaseUrls } from "./base-urls.ts";
import * as chosen from "./chosen-environments.ts";
import * as comparisons from "./comparisons.ts";
import * as descriptions from "./descriptions.ts";
import * as watches from "./document-watches.ts";
import * as documents from "./documents.ts";
import * as environments from "./environments.ts";
import * as imports from "./imports.ts";
import * as groups from "./operation-groups.ts";
import * as operations from "./operations.ts";
import { receiveEvent } from "./received-events.ts";
import * as resources from "./resources.ts";
import { listRunnableApis } from "./runnable-apis.ts";
import { searchApis } from "./search.ts";
import * as variables from "./variables.ts";

export const apiRegistryContract = {
  inspectDocument: documents.inspectDocument,
  listApis: apis.listApis,
  registerApi: apis.registerApi,
  getApi: apis.getApi,
  summarizeApi: apis.summarizeApi,
  searchApis,
  describeApi: descriptions.describeApi,
  changeApi: apis.changeApi,
  deleteApi: apis.deleteApi,
  listDocuments: documents.listDocuments,
  importDocument: documents.importDocument,
  compareDocument: comparisons.compareDocument,
  getDocument: documents.getDocument,
  listDocumentProblems: documents.listDocumentProblems,
  getDocumentWatch: watches.getDocumentWatch,
  setDocumentWatch: watches.setDocumentWatch,
  endDocumentWatch: watches.endDocumentWatch,
  takeOverDocument: watches.takeOverDocument,
  dismissDocument: watches.dismissDocument,
  listOperations: operations.listOperations,
  listOperationTags: groups.listOperationTags,
  listOperationGroups: groups.listOperationGroups,
  findOperations: operations.findOperations,
  getOperation: operations.getOperation,
  getWebhook: operations.getWebhook,
  listResources: resources.listResources,
  getResource: resources.getResource,
  findDependencies: resources.findDependencies,
  setDependency: resources.setDependency,
  forgetDependency: resources.forgetDependency,
  getAuthentication: authentication.getAuthentication,
  changeAuthentication: authentication.changeAuthentication,
  listBaseUrls,
  listRunnableApis,
  listEnvironments: environments.listEnvironments,
  replaceEnvironments: environments.replaceEnvironments,
  getVariables: variables.getVariables,
  replaceVariables: variables.replaceVariables,
  setVariables: variables.setVariables,
  openSecretVariables: variables.openSecretVariables,
  getChosenEnvironment: chosen.getChosenEnvironment,
  chooseEnvironment: chosen.chooseEnvironment,
  takeImport: imports.takeImport,
  undoImport: imports.undoImport,
  forgetImport: imports.forgetImport,
  ...codePartContract,
  listAuditRecords: auditContract.listAuditRecords,
  checkAuditChain: auditContract.checkAuditChain,
  receiveEvent,
};
