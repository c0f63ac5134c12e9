import { codePartContract } from "../code/parts.ts";
import { auditContract } from "../kit/audit-records.ts";
import { systemContract } from "../kit/system.ts";
import * as alertAddresses from "./alert-addresses.ts";
import * as alertChannels from "./alert-channels.ts";
import * as alertDeliveries from "./alert-deliveries.ts";
import * as alertRules from "./alert-rules.ts";
import * as alertWebhooks from "./alert-webhooks.ts";
import { listCertificates } from "./certificates.ts";
import * as incidentComments from "./incident-comments.ts";
import * as incidents from "./incidents.ts";
import * as marks from "./marks.ts";
import * as receivedEvents from "./received-events.ts";
import { listRecoveringTests } from "./recoveries.ts";
import * as serviceLevels from "./service-levels.ts";
import * as statusPages from "./status-pages.ts";
import * as subscribers from "./status-subscribers.ts";
import * as suggestions from "./suggestions.ts";
import { planSuite } from "./suite-plans.ts";
import * as trends from "./trends.ts";
import * as verifications from "./verifications.ts";

export const testAnalyzerContract = {
  judgeResponse: verifications.judgeResponse,
  judgeExecutions: verifications.judgeExecutions,
  listVerifications: verifications.listVerifications,
  suggestTests: suggestions.suggestTests,
  planSuite,
  getCoverage: trends.getCoverage,
  getTrends: trends.getTrends,
  listApiFigures: trends.listApiFigures,
  listMarks: marks.listMarks,
  createMark: marks.createMark,
  getMark: marks.getMark,
  deleteMark: marks.deleteMark,
  listChannels: alertChannels.listChannels,
  createChannel: alertChannels.createChannel,
  getChannel: alertChannels.getChannel,
  changeChannel: alertChannels.changeChannel,
  deleteChannel: alertChannels.deleteChannel,
  rotateChannelSecret: alertChannels.rotateChannelSecret,
  testChannel: alertChannels.testChannel,
  describeWebhooks: alertWebhooks.describeWebhooks,
  listRecipients: alertAddresses.listRecipients,
  sendAddressLink: alertAddresses.sendAddressLink,
  readAddressLink: alertAddresses.readAddressLink,
  confirmAddress: alertAddresses.confirmAddress,
  listDeliveries: alertDeliveries.listDeliveries,
  getDelivery: alertDeliveries.getDelivery,
  sendDeliveryAgain: alertDeliveries.sendDeliveryAgain,
  listRules: alertRules.listRules,
  createRule: alertRules.createRule,
  getRule: alertRules.getRule,
  changeRule: alertRules.changeRule,
  deleteRule: alertRules.deleteRule,
  listIncidents: incidents.listIncidents,
  getIncident: incidents.getIncident,
  listRecoveringTests,
  listIncidentEntries: incidents.listIncidentEntries,
  acknowledgeIncident: incidents.acknowledgeIncident,
  muteIncident: incidents.muteIncident,
  unmuteIncident: incidents.unmuteIncident,
  resolveIncident: incidents.resolveIncident,
  createIncidentComment: incidentComments.createIncidentComment,
  deleteIncidentComment: incidentComments.deleteIncidentComment,
  listServiceLevels: serviceLevels.listServiceLevels,
  getServiceLevel: serviceLevels.getServiceLevel,
  setServiceLevel: serviceLevels.setServiceLevel,
  deleteServiceLevel: serviceLevels.deleteServiceLevel,
  listCertificates,
  getStatusPage: statusPages.getStatusPage,
  setStatusPage: statusPages.setStatusPage,
  closeStatusPage: statusPages.closeStatusPage,
  readPublishedStatus: statusPages.readPublishedStatus,
  subscribeToStatus: subscribers.subscribeToStatus,
  readSubscriptionLink: subscribers.readSubscriptionLink,
  confirmSubscription: subscribers.confirmSubscription,
  unsubscribeFromStatus: subscribers.unsubscribeFromStatus,
  listStatusSubscribers: subscribers.listStatusSubscribers,
  removeStatusSubscriber: subscribers.removeStatusSubscriber,
  listWaitingWork: systemContract.listWaitingWork,
  ...codePartContract,
  listAuditRecords: auditContract.listAuditRecords,
  checkAuditChain: auditContract.checkAuditChain,
  receiveEvent: receivedEvents.receiveEvent,
};
