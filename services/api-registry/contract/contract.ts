import * as apis from "./apis.ts";
import * as comparisons from "./comparisons.ts";
import * as documents from "./documents.ts";
import * as operations from "./operations.ts";

export const apiRegistryContract = {
  inspectDocument: documents.inspectDocument,
  listApis: apis.listApis,
  registerApi: apis.registerApi,
  getApi: apis.getApi,
  summarizeApi: apis.summarizeApi,
  changeApi: apis.changeApi,
  deleteApi: apis.deleteApi,
  listDocuments: documents.listDocuments,
  importDocument: documents.importDocument,
  compareDocument: comparisons.compareDocument,
  getDocument: documents.getDocument,
  listDocumentProblems: documents.listDocumentProblems,
  listOperations: operations.listOperations,
  findOperations: operations.findOperations,
  getOperation: operations.getOperation,
  getWebhook: operations.getWebhook,
  listEnvironments: apis.listEnvironments,
  replaceEnvironments: apis.replaceEnvironments,
};
